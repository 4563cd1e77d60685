import Testing
import VirtualTime

@testable import Timeline

struct TimeUnitTests {
  @Test(
    arguments: [
      ([.zero, .seconds(1), .seconds(90)], ["0ms", "1000ms", "90000ms"]),
      ([.zero, .milliseconds(1_500), .seconds(2)], ["0ms", "1500ms", "2000ms"]),
      ([.milliseconds(1), .microseconds(1_500)], ["1ms", "1500us"]),
      ([.milliseconds(1), .microseconds(1_500), .microseconds(20)], ["1000us", "1500us", "20us"]),
      ([.nanoseconds(1), .microseconds(2)], ["1ns", "2us"]),
      (
        [.zero, .milliseconds(100), .seconds(1), .nanoseconds(100_000_001)],
        ["0ms", "100ms", "1000ms", "100000001ns"]
      ),
      (
        [.zero, .nanoseconds(7), .nanoseconds(7), .milliseconds(1), .milliseconds(2)],
        ["0ms", "7ns", "7ns", "1ms", "2ms"]
      ),
      ([.zero], ["0ms"]), ([.zero, .zero], ["0ms", "0ms"]),
      ([.zero, .max], ["0ms", "never"]), ([.max, .seconds(3)], ["never", "3000ms"]),
      ([.milliseconds(-1_500), .seconds(1)], ["-1500ms", "1000ms"]),
    ] as [([VirtualTime], [String])])
  func isTheLargestInWhichHalfOfTheTimesAreWhole(times: [VirtualTime], texts: [String]) {
    let unit = TimeUnit(fitting: times)
    #expect(times.map(unit.text) == texts)
  }

  @Test func isMillisecondsWithoutAnyTime() {
    #expect(TimeUnit(fitting: [VirtualTime]()).text(of: .seconds(1)) == "1000ms")
  }

  @Test func aTimeThatIsNotWholeKeepsItsOwnUnit() {
    #expect(TimeUnit.milliseconds.text(of: .microseconds(1_500)) == "1500us")
    let unit = TimeUnit(fitting: [.microseconds(20)])
    #expect(unit.text(of: .nanoseconds(20)) == "20ns")
  }

  /// A bare number without the unit that stands elsewhere can't be misread.
  @Test func numbersHaveTheirUnitIfTheyAreMixed() {
    let shared = TimeUnit(fitting: [.zero, .milliseconds(1), .seconds(1)])
    #expect([.zero, .seconds(1)].map(shared.number) == ["0", "1000"])
    #expect(shared.symbol == "ms")
    let mixed = TimeUnit(fitting: [.milliseconds(1), .microseconds(1_500)])
    #expect([.milliseconds(1), .microseconds(1_500)].map(mixed.number) == ["1ms", "1500us"])
    #expect(mixed.symbol == nil)
  }

  /// Two parts: the first is in milliseconds, and the second alone would be in microseconds.
  private var twoParts: Timeline.Recording {
    func event(_ number: Int, _ time: VirtualTime, _ text: String) -> Timeline.Event {
      Timeline.Event(number: number, time: time, place: 1, lane: "a", kind: .value(text))
    }
    return Timeline.Recording(parts: [
      .init(title: "Slow", events: [event(1, .zero, "x"), event(2, .seconds(1), "y")]),
      .init(title: "Fast", events: [event(1, .zero, "x"), event(2, .microseconds(250), "z")]),
    ])
  }

  @Test func allPartsOfATranscriptShareOneUnit() {
    #expect(
      twoParts.transcript() == """
        # Slow
           0ms  a  value x
        1000ms  a  value y

        # Fast
           0ms  a  value x
         250us  a  value z

        """)
  }

  @Test func allPartsOfADiagramShareOneUnit() {
    let drawing = twoParts.marbles()
    #expect(
      drawing == """
        # Slow
           0ms  1000ms
        a  x    y

        # Fast
           0ms  250us
        a  x    z

        Not to scale: one column is one instant, and a line runs from ^ to the end.

        """)
  }

  @Test(arguments: [
    ("1000ms", "1000ms 1500ms 1us"), ("1s", "1s 1500ms 1us"), ("5us", "1000000us 1500000us 1us"),
    ("0", "1000ms 1500ms 1us"),
  ])
  func aQuestionChoosesTheUnitOfItsAnswer(question: String, times: String) {
    let unit = TimeUnit(of: question)
    let all = [VirtualTime.seconds(1), .milliseconds(1500), .microseconds(1)]
    #expect(all.map(unit.text(of:)).joined(separator: " ") == times)
    #expect(
      all.map { unit.text(ofInterval: VirtualTime.zero.distance(to: $0)) }
        .joined(separator: " ") == times)
  }
}
