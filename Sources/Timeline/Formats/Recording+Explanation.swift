extension Timeline {
  /// The reason why an event can't be explained.
  public struct ExplanationError: Error, Equatable, CustomStringConvertible {
    /// The problem in one line, such as `There's no event 40. Its events are 1 to 28.`
    public let description: String
  }
}

extension Timeline.ExplanationError {
  /// Says that a part doesn't have an event, and which it has.
  package init(missing number: Int, in part: Timeline.Recording.Part) {
    let place = part.title.map { " in “\($0.onOneLine)”" } ?? ""
    let numbers = part.events.map(\.number)
    let range =
      numbers.min().map { "Its events are \($0) to \(numbers.max() ?? $0)." } ?? "It has no events."
    self.init(description: "There's no event \(number)\(place). \(range)")
  }
}

extension Timeline.Recording {
  /// Explains why an event happened: the chain of causes that led to it, and the values that it's
  /// made of, one line each.
  ///
  /// ```
  /// Event 8 of “The retry succeeds”: catch delivers “Ada”.
  ///
  /// 1    0ms  catch gets a subscriber.            main.swift:14
  /// 2    0ms  catch is asked for 1 value.         main.swift:14
  /// 3    0ms  request 1 is made: GET https://api.example.com/users/1
  /// 6  120ms  request 1 gets 200 OK, 44 bytes.
  /// 8  120ms  catch delivers “Ada”.               main.swift:14
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
    guard parts.indices.contains(part) else {
      throw Timeline.ExplanationError(
        description: "There's no part \(part + 1). The recording has \(parts.count).")
    }
    let place = parts[part].title.map { " of “\($0.onOneLine)”" } ?? ""
    let lanes = LaneRows(parts[part])
    let events = lanes.events
    guard let position = events.firstIndex(where: { $0.number == number }) else {
      throw Timeline.ExplanationError(missing: number, in: parts[part])
    }
    let unit = TimeUnit(fitting: self.events.map(\.time))
    let lines = lanes.reasons(ofEventAt: position).map { position in
      let event = events[position]
      return (
        number: "\(event.number)", time: unit.text(of: event.time),
        sentence: event.sentence(
          inLaneNamed: lanes.name(ofEvent: position), madeOf: event.otherOrigins),
        code: event.line?.description
      )
    }
    let numberWidth = lines.map(\.number.count).max() ?? 0
    let timeWidth = lines.map(\.time.count).max() ?? 0
    // Long sentences, such as those with a URL, don't push the lines of code to the right.
    let sentenceWidth = lines.filter { $0.code != nil }.map(\.sentence.count).max() ?? 0
    let text = lines.map { line in
      let number = line.number.alignedRight(in: numberWidth)
      let time = line.time.alignedRight(in: timeWidth)
      let code = line.code.map { "  \($0)" } ?? ""
      let sentence = code.isEmpty ? line.sentence : line.sentence.padded(to: sentenceWidth)
      return "\(number)  \(time)  \(sentence)\(code)\n"
    }
    let sentence = events[position].sentence(inLaneNamed: lanes.name(ofEvent: position))
    return "Event \(number)\(place): \(sentence)\n\n\(text.joined())"
  }
}

extension LaneRows {
  /// The positions of an event, of all that led to it, and of the values that any of these is made
  /// of, in ascending order.
  func reasons(ofEventAt position: Int) -> [Int] {
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
