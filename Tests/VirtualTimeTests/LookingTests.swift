import Streams
import Testing
import VirtualTime

struct LookingTests {
  @Test func `pending work is listed in the order in which it will run`() {
    let clock = VirtualTimeScheduler()
    let line = #line + 3
    clock.schedule(after: .seconds(2)) {}
    let token = clock.schedule(
      after: .seconds(1), interval: 3, tolerance: 0.1, options: .init(label: "tick")
    ) {}
    clock.schedule(options: .init(label: "poll", background: true)) {
      clock.schedule(after: .seconds(1)) {}
    }
    #expect(
      clock.pendingWork.map(\.description) == [
        "0 #3 poll, background, scheduled at VirtualTimeTests/LookingTests.swift:\(line + 2)",
        "1s #2 tick, every 3s, scheduled at VirtualTimeTests/LookingTests.swift:\(line)",
        "2s #1",
      ])
    clock.advance()
    #expect(
      clock.pendingWork.map(\.description) == [
        "1s #2 tick, every 3s, scheduled at VirtualTimeTests/LookingTests.swift:\(line)",
        "1s #4, scheduled by #3",
        "2s #1",
      ])
    #expect(clock.pendingWork.map(\.tolerance) == [0.1, 0, 0])
    token.cancel()
  }

  @Test func `a step shows time, place in the instant, label and cause`() {
    let clock = VirtualTimeScheduler()
    let token = clock.schedule(after: .seconds(1), interval: 1) {}
    clock.schedule(after: .seconds(1), tolerance: 0, options: .init(label: "parent")) {
      clock.schedule(options: .init(label: "child")) {
        clock.schedule(after: .zero, tolerance: 0, options: .init(label: "grandchild")) {}
      }
    }
    clock.schedule(after: .seconds(2)) {}
    #expect(
      clock.steps(until: .seconds(2)) == [
        "1s.1 #1", "1s.2 #2 parent", "1s.3 #5 child, scheduled by #2",
        "1s.4 #6 grandchild, late, scheduled by #5", "2s.1 #3", "2s.2 #4",
      ])
    token.cancel()
  }
}
