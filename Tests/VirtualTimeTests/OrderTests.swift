import Streams
import Testing
import VirtualTime

struct OrderTests {
  let clock = VirtualTimeScheduler()
  let history = History()

  func note(_ name: String) -> () -> Void {
    { history.append("\(clock.now) \(name)") }
  }

  @Test func `work runs in order of due time, at one instant first in first out`() {
    clock.schedule(after: .seconds(2), note("a"))
    clock.schedule(after: .seconds(1), note("b"))
    clock.schedule(after: .seconds(2), note("c"))
    clock.schedule(note("d"))
    clock.schedule(after: .seconds(1), note("e"))
    #expect(history.lines == [])
    clock.run()
    #expect(history.lines == ["0 d", "1s b", "1s e", "2s a", "2s c"])
  }

  @Test func `a thousand actions at few instants keep their order`() {
    // The dates have no pattern, so a wrong heap can't pass by luck.
    let dates = (0..<1_000).map { VirtualTime.milliseconds($0 * 7_919 % 13) }
    for (index, date) in dates.enumerated() { clock.schedule(after: date, note("\(index)")) }
    clock.run()
    let expected = dates.enumerated().sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    #expect(history.lines == expected.map { "\($0.1) \($0.0)" })
  }

  @Test func `work scheduled by an action for now runs in the same instant, after what is due`() {
    clock.schedule(after: .seconds(1)) {
      note("a")()
      clock.schedule(note("from a"))
      clock.schedule(after: clock.now, note("from a, with a date"))
    }
    clock.schedule(after: .seconds(1), note("b"))
    clock.run()
    #expect(
      history.lines == ["1s a", "1s b", "1s from a", "1s from a, with a date"])
  }

  @Test func `late work runs now and is marked late`() {
    let clock = VirtualTimeScheduler(now: .seconds(5))
    clock.schedule(options: .init(label: "due")) {}
    clock.schedule(after: .seconds(1), tolerance: 0, options: .init(label: "past")) {}
    clock.schedule(after: .seconds(4), tolerance: 0, options: .init(label: "less past")) {}
    #expect(
      clock.steps() == [
        "5s.1 #1 due", "5s.2 #2 past, late", "5s.3 #3 less past, late",
      ])
  }

  @Test func `a scripted cancellation comes before other work of its instant`() {
    clock.schedule(after: .seconds(1), note("event"))
    clock.schedule(
      after: .seconds(1), tolerance: 0, options: .init(isCancellation: true), note("cancel"))
    clock.schedule(
      after: .seconds(1), tolerance: 0, options: .init(isCancellation: true), note("cancel too"))
    clock.run()
    #expect(history.lines == ["1s cancel", "1s cancel too", "1s event"])
  }

  @Test func `work that is never due is accepted and listed, but keeps nothing going`() {
    clock.schedule(after: .max, note("never"))
    let token = clock.schedule(after: .max, interval: 1, note("never, again and again"))
    clock.schedule(after: .seconds(1), note("a"))
    clock.run()
    clock.advance(to: .max)
    #expect(clock.step() == nil)
    #expect(history.lines == ["1s a"])
    #expect(clock.now == .seconds(1))
    #expect(clock.pendingWork.map(\.description) == ["never #1", "never #2, every 1s"])
    token.cancel()
    #expect(clock.pendingWork.map(\.description) == ["never #1"])
  }

  @Test func `an action scheduled through the protocol runs too`() {
    func delay(on scheduler: some Scheduler) {
      scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(300)), note("delayed"))
    }
    delay(on: clock)
    clock.run()
    #expect(history.lines == ["300ms delayed"])
    #expect(clock.minimumTolerance == .zero)
  }
}
