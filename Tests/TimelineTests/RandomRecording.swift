import TestSupport
import Timeline
import VirtualTime

/// Makes recordings that are the same in each run, with names and texts that are hard to draw.
struct RandomRecording {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  private static let texts = [
    "a", "A", "B", "Ada", "two words", "long enough for a letter", "", " ", " a", "a ", "\"",
    "\"quoted\"", "\\", "\\n", "\n", "\r\n",
    "# title", "#", "^--A--|", "(A|)", "-", "failed: x", "No events.", "  A  x", "0  1s", "é",
    "e\u{301}", "\u{301}", "🧑‍🚀", "\u{200D}", "漢字", "\u{202E}abc", "🇩🇪", "🇩", "\u{2028}", "\0",
    "\u{93F}", "a\u{D4E}",
    "Not to scale: one column is one instant, and a line runs from ^ to the end.",
  ]

  mutating func next() -> Timeline.Recording {
    let clock = VirtualTimeScheduler()
    let timeline = Timeline(clock: clock)
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: timeline.beginPart(text())
      case 1...4: clock.advance(by: .microseconds(Int.random(in: 0...3000, using: &generator)))
      default: timeline.record(kind(), in: lane())
      }
    }
    return timeline.recording
  }

  /// Makes a recording that no timeline would: with causes that are missing, in the future or in
  /// circles, lives that overlap, numbers that repeat, and times in any order.
  mutating func nextUnruly() -> Timeline.Recording {
    let names = (0..<Int.random(in: 1...6, using: &generator)).map { _ in lane() }
    let isSorted = Bool.random(using: &generator)
    var time = 0
    let parts = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      let events = (1...Int.random(in: 1...40, using: &generator)).map { number in
        time = isSorted ? time + pick([0, 0, 0, 1, 5, 900]) : pick([0, 1, 7, 5000, .max / 2])
        return Timeline.Event(
          number: pick([number, number, number, 3]), time: .microseconds(time), place: number,
          lane: pick(names), kind: kind(), thread: pick([nil, nil, "main", "queue"]),
          cause: pick([nil, number - 1, number - 1, number - 2, number, number + 1, 1, 99, 3]),
          from: pick([
            [], [], [number - 1], [1, number - 1], [2, 3, 4, number - 2], [number + 1, 99],
          ]),
          subscription: pick([nil, 1, 1, 2, 3]),
          line: pick([nil, nil, Timeline.SourceLine(fileID: "a/main.swift", line: 3)]))
      }
      let waits = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        let event = pick(events)
        return Timeline.Wait(
          lane: pick([event.lane, event.lane, pick(names)]), subscription: event.subscription,
          start: event.time, end: pick([pick(events).time, event.time, .max]),
          ending: pick(Timeline.Wait.Ending.allCases), cause: pick([nil, event.number, 2, 99]))
      }
      return Timeline.Recording.Part(title: text(), events: events, waits: waits)
    }
    return Timeline.Recording(parts: parts)
  }

  private mutating func text() -> String { pick(Self.texts) }

  private mutating func lane() -> Timeline.Lane {
    Timeline.Lane(text(), role: pick(Timeline.Lane.Role.allCases))
  }

  private mutating func kind() -> Timeline.Event.Kind {
    pick([
      .subscription, .request(.unlimited), .value(text()), .finished, .failure(text()),
      .cancelled, .note(text()), .printed(text()),
      .network(.started(method: text(), url: text())), .network(.waiting),
      .network(.sent), .network(.response(status: 200)), .network(.chunk(bytes: 1)),
      .network(.finished), .network(.failed(text())),
      .network(.cancelled(bytes: 0)),
    ])
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }
}
