import Streams
import Testing
import VirtualTime

struct IntervalTests {
  typealias Interval = VirtualTime.Interval

  @Test(arguments: [
    (Interval.zero, "0"), (.milliseconds(300), "300ms"), (.microseconds(1_500), "1500us"),
    (.seconds(2), "2s"), (.nanoseconds(-1), "-1ns"), (.max, "forever"),
    (.zero - .max, "-9223372036854775807ns"),
  ])
  func `prints in the largest unit that is exact`(interval: Interval, text: String) {
    #expect(interval.description == text)
  }

  @Test func `takes a bare number as seconds`() {
    let whole: Interval = 2
    let fraction: Interval = 0.3
    #expect(whole == .seconds(2))
    #expect(fraction == .milliseconds(300))
    #expect(Interval(exactly: 2) == .seconds(2))
    #expect(Interval(exactly: Int.max) == nil)
    #expect(Interval(exactly: UInt64.max) == nil)
  }

  @Test(
    arguments: [
      (0.5e-9, 1), (-0.5e-9, -1), (0.4e-9, 0), (1.5e-9, 2), (2.5e-9, 3), (-2.5e-9, -3),
      (0.3, 300_000_000), (0.1 + 0.2, 300_000_000), (1e300, Int64.max), (-1e300, Int64.min),
    ] as [(Double, Int64)])
  func `rounds seconds to the nearest nanosecond`(seconds: Double, nanoseconds: Int64) {
    #expect(Interval.seconds(seconds).nanoseconds == nanoseconds)
  }

  @Test func `multiplies in seconds`() {
    #expect(2 * .milliseconds(5) == Interval.milliseconds(10))
    #expect(.milliseconds(5) * 2 == Interval.milliseconds(10))
    #expect(0.5 * .milliseconds(5) == Interval.microseconds(2_500))
    #expect(-2 * .milliseconds(5) == Interval.milliseconds(-10))
    #expect(0.5 * .nanoseconds(1) == Interval.nanoseconds(1))
    #expect(-0.5 * .nanoseconds(1) == Interval.nanoseconds(-1))
    #expect(0.4 * .nanoseconds(1) == Interval.zero)
    #expect(Interval.max * 1 == .max)
    #expect(Interval.max * 2 == .max)
    #expect(Interval.max * .max == .max)
    #expect((Interval.max * -2).nanoseconds == -.max)
  }

  @Test func `adds and subtracts, saturating`() {
    var interval: Interval = 1
    interval += .milliseconds(500)
    interval -= .milliseconds(200)
    interval *= 2
    #expect(interval == .milliseconds(2_600))
    #expect(Interval.max + 1 == .max)
    #expect((-Interval.max - 1).nanoseconds == .min)
    #expect((-Interval.max - 1).magnitude == .max)
    #expect((-1 as Interval).magnitude == 1)
    #expect(Interval.milliseconds(1) < .milliseconds(2))
    #expect(Interval.seconds(.min).nanoseconds == .min)
  }
}
