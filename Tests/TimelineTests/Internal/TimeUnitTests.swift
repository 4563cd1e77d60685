import Testing
import VirtualTime

@testable import Timeline

struct TimeUnitTests {
  @Test(
    arguments: [
      ([.zero, .seconds(1), .seconds(90)], ["0ms", "1000ms", "90000ms"]),
      ([.zero, .milliseconds(1_500), .seconds(2)], ["0ms", "1500ms", "2000ms"]),
      ([.milliseconds(1), .microseconds(1_500)], ["1000us", "1500us"]),
      ([.nanoseconds(1), .microseconds(2)], ["1ns", "2000ns"]),
      ([.zero], ["0ms"]), ([.zero, .zero], ["0ms", "0ms"]),
      ([.zero, .max], ["0ms", "never"]), ([.max, .seconds(3)], ["never", "3000ms"]),
      ([.milliseconds(-1_500), .seconds(1)], ["-1500ms", "1000ms"]),
    ] as [([VirtualTime], [String])])
  func isTheLargestInWhichAllTimesAreWhole(times: [VirtualTime], texts: [String]) {
    let unit = TimeUnit(fitting: times)
    #expect(times.map(unit.text) == texts)
  }

  @Test func isMillisecondsWithoutAnyTime() {
    #expect(TimeUnit(fitting: [VirtualTime]()) == .milliseconds)
  }

  @Test func aTimeThatIsNotWholeKeepsItsOwnUnit() {
    #expect(TimeUnit.milliseconds.text(of: .microseconds(1_500)) == "1500us")
    #expect(TimeUnit.microseconds.text(of: .nanoseconds(20)) == "20ns")
  }

  /// Two parts: the first alone would be written in milliseconds, the second in microseconds.
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
              0us  a  value x
        1000000us  a  value y

        # Fast
              0us  a  value x
            250us  a  value z

        """)
  }

  @Test func allPartsOfADiagramShareOneUnitAndAreReadBack() throws {
    let drawing = twoParts.marbles()
    #expect(
      drawing == """
        # Slow
           0us  1000000us
        a  A    B

        # Fast
           0us  250us
        a  A    C

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          A  x
          B  y
          C  z

        """)
    #expect(try Marbles(parsing: drawing) == Marbles(twoParts))
  }

  @Test(arguments: [
    (VirtualTime.seconds(2), "2000ms"), (.milliseconds(20), "20ms"), (.microseconds(7), "7us"),
    (.nanoseconds(9), "9ns"),
  ])
  func aHeaderIsReadBackInEachUnit(time: VirtualTime, text: String) throws {
    let marbles = Marbles(parts: [
      .init(rows: [.init("a", [.init(.start, at: .zero), .init(.finished, at: time)])])
    ])
    let drawing = marbles.drawing()
    let zero = "0" + text.drop(while: \.isNumber)
    #expect(drawing.hasPrefix("   \(zero)  \(text)\na  ^"))
    #expect(try Marbles(parsing: drawing) == marbles)
  }
}
