import Streams
import VirtualTime

extension Timeline {
  /// The reason why an event can't be explained.
  public struct ExplanationError: Error, Equatable, CustomStringConvertible {
    /// The problem in one line, such as `There's no event 40. Its events are 1 to 28.`
    public let description: String

    /// Whether another part may have what was asked for.
    package let isAboutPart: Bool

    package init(description: String, isAboutPart: Bool = false) {
      (self.description, self.isAboutPart) = (description, isAboutPart)
    }
  }
}

extension Timeline.ExplanationError {
  /// Says that a part doesn't have an event, and which it has.
  package init(missing number: Int, in part: Timeline.Recording.Part) {
    let place = part.title.map { " in “\($0.onOneLine)”" } ?? ""
    let numbers = part.events.map(\.number)
    let range =
      numbers.min().map { "Its events are \($0) to \(numbers.max() ?? $0)." } ?? "It has no events."
    self.init(description: "There's no event \(number)\(place). \(range)", isAboutPart: true)
  }
}

extension Timeline.Recording {
  /// Explains why an event happened: the chain of causes that led to it, and the values that it's
  /// made of, one line each. Subscriptions and demand that follow each other at one instant share a
  /// line, which names the demand only if it's limited.
  ///
  /// ```
  /// Event 8 of “The retry succeeds”: catch delivers “Ada”.
  ///
  /// 1-4    0ms  data task and catch get subscribers.  main.swift:11-14
  ///   5    0ms  request 1 is made: GET https://api.example.com/users/1
  ///   6  120ms  request 1 gets 200 OK, 44 bytes.
  ///   7  120ms  data task delivers “44 bytes”.        main.swift:11
  ///   8  120ms  catch delivers “Ada”.                 main.swift:14
  /// ```
  ///
  /// The first line is the one that the program's own code led to. Each line has the event's
  /// number, its time, and the line of code that recorded it, if that's known. If a value isn't
  /// made of what let it out, or not of that alone, its line says what it's made of.
  ///
  /// - Parameters:
  ///   - number: The event's number.
  ///   - part: The position of the part, because each part numbers its events from 1.
  /// - Returns: Lines that each end in a newline.
  /// - Throws: ``Timeline/ExplanationError`` if the part has no event with this number.
  public func explanation(
    of number: Int, part: Int = 0
  ) throws(Timeline.ExplanationError) -> String {
    try explanation(of: number, part: part, in: .plain)
  }

  /// Explains why an event happened, in a style of a terminal.
  ///
  /// - Parameters:
  ///   - number: The event's number.
  ///   - part: The position of the part.
  ///   - style: The colours.
  ///   - width: The width of the terminal; `nil` if it isn't one.
  /// - Throws: ``Timeline/ExplanationError`` if the part has no event with this number.
  package func explanation(
    of number: Int, part: Int = 0, in style: TerminalStyle, width: Int? = nil
  ) throws(Timeline.ExplanationError) -> String {
    guard parts.indices.contains(part) else {
      throw Timeline.ExplanationError(
        description: "There's no part \(part + 1). The recording has \(parts.count).")
    }
    let lanes = LaneRows(parts[part])
    guard let position = lanes.events.firstIndex(where: { $0.number == number }) else {
      throw Timeline.ExplanationError(missing: number, in: parts[part])
    }
    let sentence = lanes.events[position].sentence(inLaneNamed: lanes.name(ofEvent: position))
    return Explanation(
      "Event \(number)\(parts[part].place): \(sentence)", of: [position], lanes,
      TimeUnit(fitting: events.map(\.time))
    ).text(in: style, width: width)
  }

  /// Explains why several events happened: all that led to any of them. These events are marked.
  ///
  /// - Parameters:
  ///   - numbers: Their numbers.
  ///   - name: What they have in common, such as the name of their lane.
  ///   - part: The position of their part.
  ///   - style: The style of the terminal.
  ///   - width: The width of the terminal; `nil` if it isn't one.
  package func explanation(
    ofAll numbers: Set<Int>, called name: String, part: Int, in style: TerminalStyle,
    width: Int? = nil
  ) -> String {
    let lanes = LaneRows(parts[part])
    let positions = lanes.events.indices.filter { numbers.contains(lanes.events[$0].number) }
    return Explanation(
      "\(name.onOneLine)\(parts[part].place): \(positions.count) events, marked with >",
      of: positions, lanes, TimeUnit(fitting: events.map(\.time))
    ).text(in: style, width: width)
  }
}

extension Timeline.Recording.Part {
  /// The title in a sentence, if there's one.
  fileprivate var place: String { title.map { " of “\($0.onOneLine)”" } ?? "" }
}

/// The lines of an explanation.
private struct Explanation {
  private let heading: String
  private let lines: [Line]

  private struct Line {
    let isMarked: Bool
    let number: String
    let time: String
    let sentence: Sentence
    let code: String
  }

  init(_ heading: String, of positions: [Int], _ lanes: LaneRows, _ unit: TimeUnit) {
    self.heading = heading
    let asked = Set(positions)
    let all = asked.reduce(into: Set<Int>()) { $0.formUnion(lanes.reasons(ofEventAt: $1)) }
    var steps: [Step] = []
    for position in all.sorted() {
      let step = Step(position, lanes, canShare: !asked.contains(position))
      if let last = steps.last?.sharing(with: step) {
        steps[steps.count - 1] = last
      } else {
        steps.append(step)
      }
    }
    lines = steps.map { step in
      Line(
        isMarked: asked.count > 1 && asked.contains(step.positions[0]), number: step.number,
        time: unit.text(of: step.time), sentence: step.sentence, code: step.code)
    }
  }

  /// The text. Lines that are too wide for a terminal end between words.
  func text(in style: TerminalStyle, width: Int?) -> String {
    let mark = lines.contains(where: \.isMarked) ? 2 : 0
    let numberWidth = lines.map(\.number.count).max() ?? 0
    let timeWidth = lines.map(\.time.count).max() ?? 0
    let indentation = mark + numberWidth + timeWidth + 4
    let room = width.map { max(20, $0 - indentation) }
    let codeWidth = lines.map(\.code.count).max() ?? 0
    // Long sentences, such as those with a URL, don't push the lines of code to the right.
    let sentenceWidth = lines.filter { !$0.code.isEmpty }.map(\.sentence.text.count).max() ?? 0
    let codeColumn = min(sentenceWidth, room.map { max(0, $0 - codeWidth - 2) } ?? sentenceWidth)
    let text = lines.map { line in
      let start = (line.isMarked ? ">" : "").padded(to: mark)
      let number = line.number.alignedRight(in: numberWidth)
      let time = style.paint(line.time.alignedRight(in: timeWidth), as: .time)
      let folded = line.sentence.text.folded(to: room)
      var pieces = line.sentence.painted(folded, style)
      if !line.code.isEmpty {
        var end = folded.last?.count ?? 0
        if end > codeColumn, let room, end + 2 + line.code.count > room {
          pieces.append("")
          end = 0
        }
        pieces[pieces.count - 1] +=
          "".padded(to: codeColumn - end) + "  " + style.paint(line.code, as: .time)
      }
      return "\(start)\(number)  \(time)  "
        + pieces.joined(separator: "\n" + "".padded(to: indentation)) + "\n"
    }
    let heading = heading.folded(to: width).map { style.paint($0, as: .title) }
    return "\(heading.joined(separator: "\n"))\n\n\(text.joined())"
  }
}

/// A sentence that begins with the name of a lane, or with several.
private struct Sentence {
  let name: String
  let text: String
  let role: TerminalStyle.Role

  /// The lines that it's folded to, in colour apart from the name.
  func painted(_ lines: [String], _ style: TerminalStyle) -> [String] {
    lines.enumerated().map { index, line in
      guard index == 0, line.hasPrefix(name) else { return style.paint(line, as: role) }
      return name + style.paint(String(line.dropFirst(name.count)), as: role)
    }
  }
}

/// A step of an explanation: an event, or subscriptions and demand of one instant.
private struct Step {
  private(set) var positions: [Int]
  private let lanes: LaneRows
  /// Whether it's subscriptions and demand that others may join.
  private let canShare: Bool

  init(_ position: Int, _ lanes: LaneRows, canShare: Bool) {
    positions = [position]
    self.lanes = lanes
    let kind = lanes.events[position].kind
    self.canShare = canShare && (kind.isDemand || kind == .subscription)
  }

  private var events: [Timeline.Event] { positions.map { lanes.events[$0] } }

  var time: VirtualTime { lanes.events[positions[0]].time }

  /// How many values it asks for; `nil` for none.
  private var demand: Subscribers.Demand? {
    for case .request(let demand) in events.map(\.kind) { return demand }
    return nil
  }

  /// Both steps as one; `nil` if they have to stand on their own.
  func sharing(with next: Step) -> Step? {
    guard canShare, next.canShare, time == next.time,
      demand == nil || next.demand == nil
        || demand == next.demand
    else { return nil }
    var both = self
    both.positions += next.positions
    return both
  }

  /// The numbers of its events, such as `7` or `1-6`.
  var number: String {
    var ranges: [(first: Int, last: Int)] = []
    for number in events.map(\.number) {
      if let last = ranges.last?.last, number == last + 1 {
        ranges[ranges.count - 1].last = number
      } else {
        ranges.append((number, number))
      }
    }
    return ranges.map { $0 == $1 ? "\($0)" : "\($0)-\($1)" }.joined(separator: ", ")
  }

  var sentence: Sentence {
    if positions.count == 1 {
      let event = events[0]
      let name = lanes.name(ofEvent: positions[0])
      return Sentence(
        name: name.onOneLine,
        text: event.sentence(inLaneNamed: name, madeOf: event.otherOrigins), role: event.kind.role)
    }
    let names = { (isDemand: Bool) in
      positions.filter { lanes.events[$0].kind.isDemand == isDemand }
        .map { lanes.name(ofEvent: $0).onOneLine }.withoutRepeats()
    }
    let (subscribed, asked) = (names(false), names(true))
    let isOne = subscribed.count == 1
    var clauses: [String] = []
    if !subscribed.isEmpty {
      clauses.append("\(subscribed.listed) \(isOne ? "gets a subscriber" : "get subscribers")")
    }
    // Most subscribers take all values, so it isn't worth a word that these do.
    if let demand, subscribed.isEmpty || demand != .unlimited {
      let verb = asked.count == 1 ? "is" : "are"
      clauses.append(
        asked == subscribed
          ? "which \(isOne ? "asks" : "ask") for \(demand.inWords)"
          : "\(subscribed.isEmpty ? "" : "and ")\(asked.listed) \(verb) asked for \(demand.inWords)"
      )
    }
    return Sentence(
      name: (subscribed.isEmpty ? asked : subscribed).listed,
      text: clauses.joined(separator: ", ") + ".",
      role: subscribed.isEmpty ? .time : .start)
  }

  /// The lines of code, such as `main.swift:70-76`.
  var code: String {
    let lines = events.compactMap(\.line)
    return lines.map(\.fileID).withoutRepeats().compactMap { file in
      let lines = lines.filter { $0.fileID == file }
      guard let first = lines.min(by: { $0.line < $1.line }),
        let last = lines.map(\.line).max()
      else { return nil }
      return first.line == last ? "\(first)" : "\(first)-\(last)"
    }
    .joined(separator: ", ")
  }
}

extension [String] {
  /// The texts with commas, and an `and` before the last one.
  var listed: String {
    count > 1 ? "\(dropLast().joined(separator: ", ")) and \(self[count - 1])" : joined()
  }
}

extension LaneRows {
  /// The positions of an event, of all that led to it, and of the values that any of these is made
  /// of, in ascending order.
  package func reasons(ofEventAt position: Int) -> [Int] {
    var reasons: Set<Int> = []
    var next: Int? = position
    while let event = next {
      reasons.insert(event)
      next = causes[event]
    }
    // Not the causes of these: each would bring a chain of its own.
    var values = Array<Int>(reasons)
    while let value = values.popLast() {
      for origin in origins[value] where reasons.insert(origin).inserted { values.append(origin) }
    }
    return reasons.sorted()
  }
}

extension Timeline.Event {
  /// What it's made of, if that's not just what led to it.
  fileprivate var otherOrigins: [Int] { from == [cause].compactMap { $0 } ? [] : from }
}
