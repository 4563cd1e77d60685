import Streams
import Testing
import VirtualTime

struct RepeatTests {
  let clock = VirtualTimeScheduler()
  let history = History()

  func note(_ name: String) -> () -> Void {
    { history.append("\(clock.now) \(name)") }
  }

  @Test func `the n-th date is exact`() {
    let start = VirtualTime.nanoseconds(1)
    let interval = VirtualTime.Interval.nanoseconds(333_333_333)
    let token = clock.schedule(after: start, interval: interval, note("tick"))
    clock.advance(to: .seconds(1))
    withExtendedLifetime(token) {}
    #expect(
      history.lines == ["1ns tick", "333333334ns tick", "666666667ns tick", "1s tick"])
  }

  @Test func `a repeat is scheduled again before it runs, with a new place in the order`() {
    let token = clock.schedule(after: .zero, interval: 1, note("tick"))
    clock.schedule {
      #expect(clock.pendingWork.map(\.description) == ["1s #4, every 1s", "2s #3"])
      clock.schedule(after: .seconds(1), note("after the tick"))
    }
    clock.schedule(after: .seconds(2), note("before the tick"))
    clock.advance(by: 2)
    withExtendedLifetime(token) {}
    #expect(
      history.lines == [
        "0 tick", "1s tick", "1s after the tick", "2s before the tick", "2s tick",
      ])
  }

  @Test func `a repeat that starts in the past catches up`() {
    let clock = VirtualTimeScheduler(now: .milliseconds(2_500))
    let token = clock.schedule(
      after: .zero, interval: 1, tolerance: 0, options: .init(label: "tick")
    ) {}
    #expect(
      clock.steps(until: .seconds(3)) == [
        "2500ms.1 #1 tick, late", "2500ms.2 #2 tick, late", "2500ms.3 #3 tick, late",
        "3s.1 #4 tick",
      ])
    withExtendedLifetime(token) {}
  }

  @Test func `a repeat that starts in the past keeps its phase`() {
    let clock = VirtualTimeScheduler(now: .milliseconds(2_500))
    let token = clock.schedule(after: .milliseconds(600), interval: 1) {
      history.append("\(clock.now)")
    }
    clock.advance(by: 2)
    withExtendedLifetime(token) {}
    #expect(history.lines == ["2500ms", "2500ms", "2600ms", "3600ms"])
  }

  @Test func `a repeat can cancel itself`() {
    var token: (any Cancellable)?
    token = clock.schedule(after: .seconds(1), interval: 1) {
      note("tick")()
      if clock.now == .seconds(3) { token?.cancel() }
    }
    clock.run()
    #expect(history.lines == ["1s tick", "2s tick", "3s tick"])
    #expect(clock.pendingWork == [])
  }

  @Test func `cancelling removes work that is due in the same instant`() {
    var token: (any Cancellable)?
    clock.schedule(after: .seconds(1)) {
      note("cancel")()
      token?.cancel()
      token?.cancel()
    }
    token = clock.schedule(after: .seconds(1), interval: 1, note("tick"))
    clock.schedule(after: .seconds(1), note("other"))
    clock.run()
    #expect(history.lines == ["1s cancel", "1s other"])
  }

  @Test func `releasing the token cancels`() {
    var token: (any Cancellable)? = clock.schedule(after: .seconds(1), interval: 1, note("tick"))
    clock.advance(by: 1)
    withExtendedLifetime(token) { token = nil }
    clock.advance(by: 5)
    #expect(history.lines == ["1s tick"])
    #expect(clock.pendingWork == [])
  }

  @Test func `cancelling releases the action at once`() {
    var object: AnyCancellable? = AnyCancellable { history.append("released") }
    let token = clock.schedule(after: .seconds(1), interval: 1) { [object] in _ = object }
    object = nil
    #expect(history.lines == [])
    token.cancel()
    #expect(history.lines == ["released"])
  }

  @Test func `releasing an action may schedule and cancel`() {
    let other = clock.schedule(after: .seconds(1), interval: 1, note("other"))
    var last: AnyCancellable? = AnyCancellable {
      clock.schedule(note("released"))
      other.cancel()
    }
    let token = clock.schedule(after: .seconds(1), interval: 1) { [last] in _ = last }
    last = nil
    token.cancel()
    clock.run()
    #expect(history.lines == ["0 released"])
  }

  @Test func `an interval past the end of time never repeats`() {
    let token = clock.schedule(after: .seconds(1), interval: .max, note("tick"))
    clock.run()
    #expect(history.lines == ["1s tick"])
    #expect(clock.pendingWork.map(\.description) == ["never #2"])
    token.cancel()
    #expect(clock.pendingWork == [])
  }

  @Test func `new work in the slots of cancelled work keeps the order of insertion`() {
    var tokens = (0..<500).map { index in
      clock.schedule(after: .milliseconds(index % 10), interval: 1, note("old \(index)"))
    }
    for index in stride(from: 0, to: 500, by: 2) { tokens[index].cancel() }
    for index in stride(from: 0, to: 500, by: 2) {
      tokens[index] = clock.schedule(
        after: .milliseconds(index % 10), interval: 1, note("new \(index)"))
    }
    clock.advance(by: .milliseconds(9))
    let old = stride(from: 1, to: 500, by: 2).map { (at: $0 % 10, text: "old \($0)") }
    let new = stride(from: 0, to: 500, by: 2).map { (at: $0 % 10, text: "new \($0)") }
    let expected = (0..<10).flatMap { at in (old + new).filter { $0.at == at } }
    #expect(history.lines == expected.map { "\(VirtualTime.milliseconds($0.at)) \($0.text)" })
    withExtendedLifetime(tokens) {}
  }

  @Test func `time may stop before the date of cancelled work`() {
    let cancelled = clock.schedule(after: .seconds(5), interval: 1, note("cancelled"))
    clock.schedule(after: .seconds(20), note("a"))
    cancelled.cancel()
    clock.run(until: .seconds(10))
    #expect(clock.now == .zero)
    clock.schedule(after: .seconds(1), note("b"))
    clock.run()
    #expect(history.lines == ["1s b", "20s a"])
  }
}
