import VirtualTime

extension Timeline.Recording {
  /// Explains why something happened that you see in a run, such as a printed line.
  ///
  /// ```swift
  /// try recording.explanation(of: "quote: No quote today.")
  /// try recording.explanation(of: "120ms replaceError")
  /// ```
  ///
  /// A query is a text that's delivered or printed, or a part of it; a time; a lane; several of
  /// these in the order of a transcript's line; or the number of an event. A value on its way
  /// through the lanes counts as one thing. A time or a lane is about all its events.
  ///
  /// - Parameter query: What you see.
  /// - Returns: Lines that each end in a newline, as those of ``explanation(of:part:)``.
  /// - Throws: ``Timeline/ExplanationError`` if nothing fits, or more than one thing. It says what
  ///   to ask instead.
  public func explanation(of query: String) throws(Timeline.ExplanationError) -> String {
    guard let query = EventQuery(query) else {
      throw Timeline.ExplanationError(
        description: "there's nothing to look for. explanation(of:) takes \(EventQuery.kinds)")
    }
    return try query.explanation(
      in: query.isInEachPart ? Timeline.Recording(parts: Array(parts.prefix(1))) : self, from: 0,
      as: .code, in: .plain)
  }
}

/// An event as a reader names it: by its number, or by what the run shows of it, which is a text, a
/// time, a lane, or several of these in the order of a transcript's line.
package struct EventQuery: Hashable, Sendable {
  /// How a reader asks, in the words of an error.
  package struct Asking: Sendable {
    /// What takes the query, and what lists all events.
    let question, list: String
    /// How to choose a part.
    let choosingPart: String
    /// The question about an event, by its number and the number of its part.
    let choice: @Sendable (Int, Int?) -> String

    /// In a command line, where parts are numbered from 1.
    package static let commandLine = Asking(
      question: "--why", list: "--trace", choosingPart: "Choose one with --part"
    ) { number, part in "--why \(number)" + (part.map { " --part \($0)" } ?? "") }

    /// In a test, where parts are numbered from 0.
    static let code = Asking(
      question: "explanation(of:)", list: "trace()", choosingPart: "Look in one of them"
    ) { number, part in "explanation(of: \(number)" + (part.map { ", part: \($0))" } ?? ")") }
  }

  private let text: String

  /// Reads a query; `nil` if there's nothing to look for.
  package init?(_ text: String) {
    self.text = text.inOneSpacing
    if self.text.isEmpty { return nil }
  }

  /// Whether it names something that each part has, so it's about the first one by default.
  package var isInEachPart: Bool { number != nil || MomentText(text)?.rest == "" }

  /// The number, if that's all there is, also as the answer and `--until` have it: `event 12`.
  private var number: Int? {
    let digits = text.lowercased().hasPrefix("event ") ? text.dropFirst(6) : text[...]
    return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }

  /// The answer to the query.
  ///
  /// - Parameters:
  ///   - recording: The parts to look in.
  ///   - first: The number of the first of them.
  ///   - asking: How the reader asks.
  ///   - style: The style of the terminal.
  ///   - width: The width of the terminal; `nil` if it isn't one.
  /// - Throws: `ExplanationError` if there's no such event, or more than one.
  package func explanation(
    in recording: Timeline.Recording, from first: Int, as asking: Asking, in style: TerminalStyle,
    width: Int? = nil
  ) throws(Timeline.ExplanationError) -> String {
    if let number { return try recording.explanation(of: number, in: style, width: width) }
    var found = recording.parts.enumerated().map { EventSearch($1, at: $0, for: text) }
      .filter { !$0.isEmpty }
    // An exact match in one part is better than another one in another part.
    let best = found.map(\.match).min()
    found.removeAll { $0.match != best }
    if found.contains(where: { !$0.isPreparation }) { found.removeAll(where: \.isPreparation) }
    let unit = TimeUnit(fitting: recording.events.map(\.time))
    guard let one = found.first else { throw nothing(in: recording, unit, asking) }
    if best == .all, found.count > 1 {
      let parts = found.map { "\(first + $0.index) (\($0.title))" }.joined(separator: ", ")
      throw Timeline.ExplanationError(
        description: "\(text.shown) is in \(found.count) parts. \(asking.choosingPart): \(parts)")
    }
    if best != .all, found.map(\.events.count).reduce(0, +) > 1 {
      throw ambiguous(found, from: first, isOnlyPart: recording.parts.count == 1, unit, asking)
    }
    if one.events.count == 1 {
      return try recording.explanation(
        of: one.events[0].number, part: one.index, in: style, width: width)
    }
    return recording.explanation(
      ofAll: Set(one.events.map(\.number)), called: text.shown, part: one.index, in: style,
      width: width)
  }

  // MARK: Errors

  private func ambiguous(
    _ found: [EventSearch], from first: Int, isOnlyPart: Bool, _ unit: TimeUnit, _ asking: Asking
  ) -> Timeline.ExplanationError {
    let events = found.flatMap { search in
      search.events.map { event in
        let part = isOnlyPart ? "" : " of part \(first + search.index)"
        let place = "\(unit.text(of: event.time)), \(event.row.onOneLine)"
        return (
          text: "\(event.number)\(part) (\(place))",
          choice: asking.choice(event.number, isOnlyPart ? nil : first + search.index)
        )
      }
    }
    let most = 4
    let rest = events.count > most ? " and \(events.count - most + 1) more" : ""
    let shown = events.prefix(rest.isEmpty ? most : most - 1).map { $0.text }.joined(
      separator: ", ")
    return Timeline.ExplanationError(
      description:
        "\(text.quoted) is in \(events.count) events: \(shown)\(rest). Choose one, such as "
        + events[0].choice)
  }

  private func nothing(
    in recording: Timeline.Recording, _ unit: TimeUnit, _ asking: Asking
  ) -> Timeline.ExplanationError {
    let place =
      recording.parts.count == 1
      ? recording.parts[0].title.map { "“\($0.onOneLine)”" } ?? "the part" : "the run"
    let times = Set(recording.events.map(\.time)).sorted()
    if let moment = MomentText(text), !times.contains(moment.time) {
      let near = [times.last { $0 < moment.time }, times.first { $0 > moment.time }]
        .compactMap { $0.map { unit.text(of: $0) } }
      let advice =
        near.isEmpty
        ? "It has no events"
        : "The closest \(near.count == 1 ? "time is" : "times are") \(near.joined(separator: " and "))"
      return .init(description: "nothing happens at \(moment.text) in \(place). \(advice)")
    }
    let known =
      recording.parts.indices.flatMap { recording.rowNames(ofPart: $0) }
      + recording.events.compactMap(\.kind.ownText)
    let suggestion =
      text.nearest(among: known, atMost: min(2, text.count / 3))
      .map { "Did you mean \($0.quoted)? " } ?? ""
    return .init(
      description: "nothing in \(place) is \(text.quoted). \(suggestion)\(asking.question) "
        + "takes \(Self.kinds), and \(asking.list) lists all events")
  }

  /// What a query can be.
  package static let kinds =
    "a text that's printed or delivered, a time, a lane, or an event's number"
}

/// The events of a part that fit a query.
private struct EventSearch {
  /// How the query fits, from the best to the worst.
  enum Match: Comparable {
    /// It's the whole text of one event.
    case exact
    /// It's a time or a lane, and is about all their events.
    case all
    /// It's a part of one event's text.
    case partial
  }

  struct Found {
    let number: Int
    let time: VirtualTime
    let row: String
    let isPreparation: Bool
  }

  let index: Int
  let title: String
  private(set) var match = Match.partial
  private(set) var events: [Found] = []

  var isEmpty: Bool { events.isEmpty }

  /// Whether there are only subscriptions and demand, which don't count if there's more.
  var isPreparation: Bool { events.allSatisfy(\.isPreparation) }

  private struct Candidate {
    let position: Int
    let event: Timeline.Event
    let row: String
    let texts: [String]
  }

  init(_ part: Timeline.Recording.Part, at index: Int, for query: String) {
    self.index = index
    title = part.title ?? ""
    let lanes = LaneRows(part)
    let candidates = lanes.events.enumerated().map { position, event in
      let row = lanes.name(ofEvent: position)
      let sentence = event.sentence(inLaneNamed: row)
      return Candidate(
        position: position, event: event, row: row,
        texts: [
          event.kind.ownText ?? "", event.kind.description, sentence, String(sentence.dropLast()),
        ]
        .map(\.inOneSpacing))
    }
    var found: [Candidate]
    (match, found) = Self.find(query, among: candidates)
    if found.contains(where: { !$0.event.kind.isPreparation }) {
      found.removeAll { $0.event.kind.isPreparation }
    }
    if match != .all {
      // A value on its way through the lanes is one thing, and the last event tells all of it.
      let earlier = found.reduce(into: Set<Int>()) { earlier, candidate in
        earlier.formUnion(lanes.reasons(ofEventAt: candidate.position).dropLast())
      }
      found.removeAll { earlier.contains($0.position) }
    }
    events = found.map {
      Found(
        number: $0.event.number, time: $0.event.time, row: $0.row,
        isPreparation: $0.event.kind.isPreparation)
    }
  }

  private static func find(
    _ query: String, among candidates: [Candidate]
  ) -> (Match, [Candidate]) {
    let exact = candidates.filter { $0.texts.contains(query) }
    if !exact.isEmpty { return (.exact, exact) }
    if let moment = MomentText(query) {
      let then = candidates.filter { $0.event.time == moment.time }
      return moment.rest.isEmpty ? (.all, then) : find(moment.rest, among: then)
    }
    let lane = candidates.filter { $0.row == query || $0.event.lane.name == query }
    if !lane.isEmpty { return (.all, lane) }
    let lowercase = query.lowercased()
    let partial = candidates.filter { $0.texts.contains { $0.lowercased().contains(lowercase) } }
    if !partial.isEmpty { return (.partial, partial) }
    let inLane = candidates.filter { query.hasPrefix("\($0.row) ") }
    guard let row = inLane.map(\.row).max(by: { $0.count < $1.count }) else {
      return (.partial, [])
    }
    return find(String(query.dropFirst(row.count + 1)), among: inLane.filter { $0.row == row })
  }
}

/// A text that begins with a time, such as `600ms` or `600ms typed`.
private struct MomentText {
  let time: VirtualTime
  /// The time as it was written.
  let text: String
  /// What comes after it.
  let rest: String

  init?(_ query: String) {
    let words = query.split(separator: " ", maxSplits: 1).map(String.init)
    guard let text = words.first, let time = VirtualTime(parsing: text), time != .max, time >= .zero
    else { return nil }
    (self.time, self.text, rest) = (time, text, words.count > 1 ? words[1] : "")
  }
}

extension Timeline.Event.Kind {
  /// The program's own text, if it has one.
  fileprivate var ownText: String? {
    switch self {
    case .value(let text), .failure(let text), .note(let text), .printed(let text),
      .network(.failed(let text)):
      text.onOneLine
    default: nil
    }
  }

  /// Whether it only prepares what happens later: a subscription or demand.
  fileprivate var isPreparation: Bool { self == .subscription || isDemand }
}

extension String {
  /// The text without space at its ends, and with single spaces in between.
  fileprivate var inOneSpacing: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
