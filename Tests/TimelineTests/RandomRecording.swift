import TestSupport
import Timeline
import VirtualTime

/// Makes recordings that are the same in each run, with names and texts that are hard to draw.
struct RandomRecording {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  private static let texts = [
    "a", "Ada", "two words", "", " ", " a", "a ", "\"", "\"quoted\"", "\\", "\\n", "\n", "\r\n",
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
