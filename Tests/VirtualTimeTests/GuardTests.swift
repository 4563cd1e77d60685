import Streams
import TestSupport
import Testing

@testable import VirtualTime

/// Trips each guard and compares the whole report.
struct GuardTests {
  let reports = History()

  var report: @Sendable (GuardFailure) -> Void {
    { [reports] in reports.append("\($0.rule): \($0)") }
  }

  @Test func `a loop at one instant is reported`() {
    let clock = VirtualTimeScheduler(onFailure: report)
    func retry() { clock.schedule(options: .init(label: "retry"), retry) }
    clock.schedule(after: .milliseconds(600), tolerance: 0, options: .init(label: "start"), retry)
    clock.advance(by: 1)
    let expected = """
      loopAtOneInstant: time doesn't move: 10000 actions ran at 600ms, and more are due then. \
      The last ones were:
        600ms.9996 #9996 retry, scheduled by #9995
        600ms.9997 #9997 retry, scheduled by #9996
        600ms.9998 #9998 retry, scheduled by #9997
        600ms.9999 #9999 retry, scheduled by #9998
        600ms.10000 #10000 retry, scheduled by #9999
      """
    #expect(reports.lines == [expected])
    #expect(clock.now == .milliseconds(600))
    clock.run()
    #expect(reports.lines == [expected, expected])
  }

  @Test func `as many actions at one instant as you like aren't a loop`() {
    let clock = VirtualTimeScheduler(
      limits: .init(actionsAtOneInstant: 3, actionsInOneChain: 3), onFailure: report)
    var count = 0
    for second in [1, 1, 1, 1, 2, 2, 2, 2] {
      clock.schedule(after: .seconds(second)) { for _ in 1...9 { clock.schedule { count += 1 } } }
    }
    clock.run()
    #expect(reports.lines == [])
    #expect(count == 72)
  }

  @Test func `a chain as long as the limit allows isn't a loop`() {
    let clock = VirtualTimeScheduler(limits: .init(actionsAtOneInstant: 3), onFailure: report)
    func chain(_ length: Int) {
      if length > 0 { clock.schedule { chain(length - 1) } }
    }
    clock.schedule(after: .seconds(2)) { chain(2) }
    clock.run()
    #expect(reports.lines == [])
    clock.schedule(after: .seconds(3)) { chain(3) }
    clock.run()
    #expect(
      reports.lines == [
        """
        loopAtOneInstant: time doesn't move: 3 actions ran at 3s, and more are due then. The last \
        ones were:
          2s.2 #2, scheduled by #1
          2s.3 #3, scheduled by #2
          3s.1 #4
          3s.2 #5, scheduled by #4
          3s.3 #6, scheduled by #5
        """
      ])
  }

  @Test func `work that multiplies is reported`() {
    let clock = VirtualTimeScheduler(limits: .init(actionsInOneCall: 1_000), onFailure: report)
    func double() {
      for _ in 1...2 { clock.schedule(after: clock.now.advanced(by: 1), double) }
    }
    double()
    clock.run()
    #expect(
      reports.lines.map { $0.prefix(86) } == [
        "endlessRun: run() doesn't end: 1000 actions ran, the clock is at 9s, and more are due."
      ])
  }

  @Test func `a call can have a limit of its own`() {
    let clock = VirtualTimeScheduler(limits: .init(actionsInOneChain: 10), onFailure: report)
    let tick = clock.schedule(after: .seconds(1), interval: 1) {}
    clock.advance(by: 100, limit: 1_000)
    clock.advance(to: .seconds(200), limit: 101)
    clock.run(until: .seconds(300), limit: 101)
    clock.run(while: { clock.now < .seconds(400) }, limit: 101)
    #expect(reports.lines == [])
    // Each call has a chain of its own.
    for _ in 1...20 { clock.advance(by: 10) }
    #expect(reports.lines == [])
    #expect(clock.now == .seconds(600))
    clock.run(limit: 5)
    tick.cancel()
    #expect(
      reports.lines == [
        """
        endlessRun: run() doesn't end: 5 actions ran, the clock is at 605s, and more are \
        due. If it ends later, allow more: run(limit: 50). These actions repeat, so move time by \
        an interval, with advance(by:), or cancel them:
          606s #606, every 1s
        """
      ])
  }

  @Test func `an endless run is reported`() {
    let clock = VirtualTimeScheduler(limits: .init(actionsInOneChain: 10_000), onFailure: report)
    let tick = clock.schedule(
      after: .zero, interval: .milliseconds(10), tolerance: 0,
      options: .init(label: "tick", fileID: "App/Poll.swift", line: 12)
    ) {}
    let tock = clock.schedule(after: .seconds(99), interval: 3_600) {}
    clock.run()
    #expect(
      reports.lines == [
        """
        endlessRun: run() doesn't end: 10001 actions ran, the clock is at 99990ms, and more are \
        due. If it ends later, allow more: run(limit: 100_000). These actions repeat, so move \
        time by an interval, with advance(by:), or cancel them:
          100s #10003 tick, every 10ms, scheduled at App/Poll.swift:12
          3699s #9903, every 3600s
        """
      ])
    tick.cancel()
    tock.cancel()
    clock.run()
    #expect(reports.lines.count == 1)
  }

  @Test func `the default limits are as documented`() {
    #expect(
      VirtualTimeScheduler.Limits.default
        == .init(
          actionsAtOneInstant: 10_000, actionsInOneChain: 1_000_000, actionsInOneCall: 10_000_000))
  }

  @Test func `an endless run without a repeat is reported`() {
    let clock = VirtualTimeScheduler(limits: .init(actionsInOneCall: 3), onFailure: report)
    func poll() { clock.schedule(after: clock.now.advanced(by: 1), poll) }
    poll()
    clock.run(until: .seconds(60))
    #expect(
      reports.lines == [
        """
        endlessRun: run(until: 60s) doesn't end: 3 actions ran, the clock is at 3s, and more are \
        due. If it ends later, allow more: run(until: 60s, limit: 30). No timer repeats. The last actions were:
          1s.1 #1
          2s.1 #2, scheduled by #1
          3s.1 #3, scheduled by #2
        """
      ])
  }

  @Test func `going back in time is reported`() {
    let clock = VirtualTimeScheduler(now: .milliseconds(300), onFailure: report)
    clock.schedule { self.reports.append("ran") }
    clock.advance(by: .milliseconds(-5))
    clock.advance(to: .milliseconds(100))
    clock.run(until: .zero)
    #expect(
      reports.lines == [
        "goingBack: advance(by: -5ms) would move time back: the clock is at 300ms, the target is "
          + "295ms",
        "goingBack: advance(to: 100ms) would move time back: the clock is at 300ms, the target is "
          + "100ms",
        "goingBack: run(until: 0) would move time back: the clock is at 300ms, the target is 0",
      ])
    #expect(clock.now == .milliseconds(300))
  }

  @Test func `a repeat with an interval of zero or less is reported`() {
    let clock = VirtualTimeScheduler(onFailure: report)
    let none = clock.schedule(after: .zero, interval: 0) { self.reports.append("ran") }
    let negative = clock.schedule(after: .zero, interval: -1.5) { self.reports.append("ran") }
    clock.run()
    none.cancel()
    negative.cancel()
    #expect(
      reports.lines == [
        "repeatWithoutTime: can't repeat every 0: the interval must be greater than 0",
        "repeatWithoutTime: can't repeat every -1500ms: the interval must be greater than 0",
      ])
  }

  @Test func `moving time inside an action is reported`() {
    let clock = VirtualTimeScheduler(onFailure: report)
    clock.schedule(after: .seconds(1), tolerance: 0, options: .init(label: "impatient")) {
      clock.advance(by: 10)
      clock.run()
      clock.run(until: .seconds(20))
      clock.step()
    }
    clock.schedule(after: .seconds(3)) { self.reports.append("\(clock.now) ran") }
    clock.advance(to: .seconds(2))
    #expect(
      reports.lines
        == ["advance(by: 10s)", "run()", "run(until: 20s)", "step()"].map {
          """
          runInsideAction: \($0) moves time, so it can't be called inside the action:
            1s.1 #1 impatient
          """
        })
    #expect(clock.now == .seconds(2))
    clock.run()
    #expect(reports.lines.last == "3s ran")
  }

  @Test func `moving time inside a condition is reported`() {
    let clock = VirtualTimeScheduler(onFailure: report)
    clock.schedule { self.reports.append("ran") }
    clock.run {
      clock.advance(by: 1)
      return false
    }
    #expect(
      reports.lines == [
        "runInsideAction: advance(by: 1s) moves time, so it can't be called inside the condition "
          + "of run(while:)"
      ])
  }

  @Test func `a second thread that moves time is reported`() {
    let clock = VirtualTimeScheduler(onFailure: report)
    clock.schedule(after: .seconds(1)) { onAnotherThread { clock.advance(by: 1) } }
    clock.run()
    #expect(
      reports.lines == [
        "secondThread: advance(by: 1s) was called while run() runs work on another thread: only "
          + "one thread at a time can move time"
      ])
    // Threads may take turns: another thread moves time, and then this one.
    onAnotherThread { clock.advance(by: 1) }
    clock.advance(by: 1)
    #expect(reports.lines.count == 1)
    #expect(clock.now == .seconds(3))
  }

  @Test func `unfinished work at the end of a scope is reported`() {
    var tokens: [any Cancellable] = []
    withVirtualTime(onFailure: report) { clock in
      let options = VirtualTimeScheduler.Options(label: "reply", fileID: "App/Ask.swift", line: 12)
      clock.schedule(after: .seconds(2), tolerance: 0, options: options) {}
      tokens.append(clock.schedule(after: .seconds(1), interval: 1) {})
      tokens.append(
        clock.schedule(
          after: .zero, interval: 1, tolerance: 0, options: .init(background: true)
        ) {})
      clock.schedule(after: .max) {}
      clock.advance(to: .milliseconds(300))
    }
    #expect(
      reports.lines == [
        """
        unfinishedWork: the scope ends at 300ms with unfinished work:
          1s #2, every 1s
          2s #1 reply, scheduled at App/Ask.swift:12
        """
      ])
  }

  @Test func `different schedulers in one scope are reported`() {
    let other = VirtualTimeScheduler(name: "other", onFailure: report)
    withVirtualTime(name: "clock", onFailure: report) { clock in
      other.schedule { self.reports.append("ran") }
      other.schedule(after: .seconds(1)) { self.reports.append("ran") }
      _ = other.schedule(after: .seconds(1), interval: 1) { self.reports.append("ran") }
      other.run()
      other.step()
      clock.schedule { self.reports.append("scope ran") }
      clock.run()
    }
    other.run()
    let expected =
      "differentSchedulers: a scope has one scheduler, but other was used in the scope of clock"
    #expect(reports.lines == Array(repeating: expected, count: 5) + ["scope ran"])
  }

  @Test func `a scheduler without a name is named after the line where it was made`() {
    let line = #line + 1
    let other = VirtualTimeScheduler()
    withVirtualTime(onFailure: report) { _ in other.run() }
    let file = "VirtualTimeTests/GuardTests.swift"
    #expect(
      reports.lines == [
        "differentSchedulers: a scope has one scheduler, but scheduler made at \(file):\(line) was "
          + "used in the scope of scheduler made at \(file):\(line + 1)"
      ])
  }

  @Test func `by default a failure ends the program`() async {
    await #expect(processExitsWith: .failure) {
      VirtualTimeScheduler().advance(by: -1)
    }
  }
}
