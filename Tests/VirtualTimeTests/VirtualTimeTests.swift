import Testing
import VirtualTime

struct VirtualTimeTests {
  @Test(arguments: [
    (VirtualTime.zero, "0"), (.milliseconds(300), "300ms"), (.microseconds(1_500), "1500us"),
    (.seconds(2), "2s"), (.seconds(90), "90s"), (.nanoseconds(1), "1ns"),
    (.nanoseconds(1_000_001), "1000001ns"), (.milliseconds(-5), "-5ms"), (.max, "never"),
  ])
  func `prints in the largest unit that is exact`(time: VirtualTime, text: String) {
    #expect(time.description == text)
  }

  @Test func `orders and measures moments`() {
    #expect(VirtualTime.seconds(1) == .milliseconds(1_000))
    #expect(VirtualTime.seconds(1) < .seconds(1.5))
    #expect(VirtualTime.seconds(1).distance(to: .seconds(3)) == 2)
    #expect(VirtualTime.seconds(3).distance(to: .seconds(1)) == -2)
    #expect(Set([VirtualTime.zero, .seconds(0), .seconds(1)]).count == 2)
    #expect(
      Array(stride(from: VirtualTime.zero, to: .seconds(1), by: 0.5)) == [
        .zero, .milliseconds(500),
      ])
  }

  @Test func `saturates at never`() {
    #expect(VirtualTime.seconds(1).advanced(by: .max) == .max)
    #expect(VirtualTime.max.advanced(by: 1) == .max)
    #expect(VirtualTime.max.advanced(by: -1) == .max)
    #expect(VirtualTime.seconds(.max) == .max)
    #expect(VirtualTime(nanoseconds: .min).distance(to: .max) == .max)
    #expect(VirtualTime.max.distance(to: VirtualTime(nanoseconds: .min)).nanoseconds == .min)
    #expect(VirtualTime.seconds(-1).advanced(by: 0 - .max).nanoseconds == .min)
  }
}
