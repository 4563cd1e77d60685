import Streams
import TestSupport
import Testing

struct IntrospectionTests {
  // MARK: Signals

  @Test func aSinkOfOneValueIsReportedStepByStep() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let subscription = Just(1).sink { _ in }
      log.expect([
        "> subscribe Sink to Just", "> Sink: subscription Just", "> Just: request unlimited",
        "> Sink: value 1", "< Sink: value 1, demand max(0)", "> Sink: finished",
        "< Sink: finished", "< Just: request unlimited", "< Sink: subscription Just",
        "< subscribe Sink to Just",
      ])
      subscription.cancel()
      log.expect([])
    }
  }

  @Test func eachBoundaryOfAChainIsReported() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let source = ScriptedPublisher<Int, TestError>()
      let history = source.map { $0 * 10 }.filter { $0 > 10 }.scan(0, +)
        .history(demand: .max(2), perValue: .max(3))
      log.expect([
        "> subscribe History to Scan", "> subscribe Scan to Filter", "> subscribe Filter to Map",
        "> subscribe Map to ScriptedPublisher", "> Map: subscription upstream",
        "> Filter: subscription upstream", "> Scan: subscription upstream",
        "> History: subscription upstream", "> upstream: request max(2)",
        "> upstream: request max(2)", "< upstream: request max(2)", "< upstream: request max(2)",
        "< History: subscription upstream", "< Scan: subscription upstream",
        "< Filter: subscription upstream", "< Map: subscription upstream",
        "< subscribe Map to ScriptedPublisher", "< subscribe Filter to Map",
        "< subscribe Scan to Filter", "< subscribe History to Scan",
      ])
      source.send(1)
      log.expect([
        "> Map: value 1", "> Filter: value 10", "< Filter: value 10, demand max(1)",
        "< Map: value 1, demand max(1)",
      ])
      source.send(2)
      log.expect([
        "> Map: value 2", "> Filter: value 20", "> Scan: value 20", "> History: value 20",
        "< History: value 20, demand max(3)", "< Scan: value 20, demand max(3)",
        "< Filter: value 20, demand max(3)", "< Map: value 2, demand max(3)",
      ])
      history.request(4)
      log.expect([
        "> upstream: request max(4)", "> upstream: request max(4)",
        "< upstream: request max(4)", "< upstream: request max(4)",
      ])
      source.fail("no more")
      log.expect([
        "> Map: failure(no more)", "> Filter: failure(no more)", "> Scan: failure(no more)",
        "> History: failure(no more)", "< History: failure(no more)",
        "< Scan: failure(no more)", "< Filter: failure(no more)", "< Map: failure(no more)",
      ])
      expectEqual(source.calls, [.request(.max(2)), .request(.max(4))])
      expectEqual(history.text, "upstream: 20 x(no more)")
    }
  }

  @Test func valuesOfASubjectAndACancellationAreReported() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let subject = PassthroughSubject<Int, TestError>()
      let history = subject.map { -$0 }.history()
      _ = log.takeLines()
      subject.send(1)
      history.cancel()
      history.cancel()
      subject.send(2)
      log.expect([
        "> Map: value 1", "> History: value -1", "< History: value -1, demand max(0)",
        "< Map: value 1, demand max(0)", "> PassthroughSubject: cancel",
        "< PassthroughSubject: cancel", "> PassthroughSubject: cancel",
        "< PassthroughSubject: cancel",
      ])
    }
  }

  @Test func aFailureOfASubjectIsReported() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog.enabled()
      let subject = CurrentValueSubject<Int, TestError>(1)
      let history = subject.history(demand: .max(1))
      subject.send(2)
      subject.send(completion: .failure("no more"))
      subject.subscribe(history)
      log.expect([
        "> subscribe History to CurrentValueSubject",
        "> History: subscription CurrentValueSubject",
        "> CurrentValueSubject: request max(1)", "> History: value 1",
        "< History: value 1, demand max(0)", "< CurrentValueSubject: request max(1)",
        "< History: subscription CurrentValueSubject",
        "< subscribe History to CurrentValueSubject",
        "> History: failure(no more)", "< History: failure(no more)",
        "> subscribe History to CurrentValueSubject", "> History: subscription Empty",
        "> Empty: request max(1)", "< Empty: request max(1)", "< History: subscription Empty",
        "> History: failure(no more)", "< History: failure(no more)",
        "< subscribe History to CurrentValueSubject",
      ])
    }
  }

  // MARK: Hooks

  @Test func hooksAreToldInTheOrderInWhichTheyWereEnabled() async {
    await #expect(processExitsWith: .success) {
      let shared = CallLog()
      let hooks = ["a", "b", "c"].map { name in
        SignalLog { _, line in shared.append("\(name) \(line)") }
      }
      for index in [2, 0, 1, 2] { hooks[index].enable() }
      let subject = PassthroughSubject<Int, Never>()
      let history = subject.history()
      shared.removeAll()
      subject.send(1)
      shared.expect([
        "c > History: value 1", "a > History: value 1", "b > History: value 1",
        "c < History: value 1, demand max(0)", "a < History: value 1, demand max(0)",
        "b < History: value 1, demand max(0)",
      ])
      shared.removeAll()
      hooks[2].disable()
      hooks[0].disable()
      hooks[0].disable()
      hooks[0].enable()
      subject.send(2)
      shared.expect([
        "b > History: value 2", "a > History: value 2", "b < History: value 2, demand max(0)",
        "a < History: value 2, demand max(0)",
      ])
      expectEqual(history.values, [1, 2])
    }
  }

  @Test func enablingTwiceCountsOnce() async {
    await #expect(processExitsWith: .success) {
      let log = SignalLog()
      let other = SignalLog()
      #expect(!log.isEnabled)
      log.disable()
      log.enable()
      log.enable()
      #expect(log.isEnabled)
      #expect(!other.isEnabled)
      let history = PassthroughSubject<Int, Never>().history(demand: .none)
      expectEqual(log.takeLines().count, 4)
      log.disable()
      #expect(!log.isEnabled)
      history.request(1)
      log.expect([])
    }
  }

  @Test func aPipelineIsReportedIfAHookIsEnabledWhenItIsAttached() async {
    await #expect(processExitsWith: .success) {
      let first = SignalLog()
      let second = SignalLog()
      let subject = PassthroughSubject<Int, Never>()
      let before = subject.history()
      first.enable()
      let tapped = subject.map { $0 * 10 }.history()
      _ = first.takeLines()
      second.enable()
      subject.send(1)
      first.disable()
      subject.send(2)
      second.disable()
      let after = subject.history()
      subject.send(3)
      first.enable()
      subject.send(4)
      let lines = { (value: Int) in
        [
          "> Map: value \(value)", "> History: value \(value)0",
          "< History: value \(value)0, demand max(0)", "< Map: value \(value), demand max(0)",
        ]
      }
      first.expect(lines(1) + lines(4))
      second.expect(lines(1) + lines(2))
      expectEqual(before.values, [1, 2, 3, 4])
      expectEqual(tapped.values, [10, 20, 30, 40])
      expectEqual(after.values, [3, 4])
    }
  }

  @Test func aHookThatChangesDuringASignalIsNotToldItsEnd() async {
    await #expect(processExitsWith: .success) {
      let late = SignalLog()
      let log = SignalLog { log, line in
        if line == "> History: value 1" { late.enable() }
        if line == "> History: value 3" { log.disable() }
      }
      log.enable()
      let subject = PassthroughSubject<Int, Never>()
      let history = subject.history()
      _ = log.takeLines()
      for value in 1...4 { subject.send(value) }
      log.expect([
        "> History: value 1", "< History: value 1, demand max(0)", "> History: value 2",
        "< History: value 2, demand max(0)", "> History: value 3",
      ])
      late.expect([
        "> History: value 2", "< History: value 2, demand max(0)", "> History: value 3",
        "< History: value 3, demand max(0)", "> History: value 4",
        "< History: value 4, demand max(0)",
      ])
      expectEqual(history.values, [1, 2, 3, 4])
    }
  }

  @Test func aHookThatAnotherDisablesIsNotToldAnythingMore() async {
    await #expect(processExitsWith: .success) {
      let second = SignalLog()
      let first = SignalLog { _, line in
        if line == "> History: value 2" { second.disable() }
      }
      first.enable()
      second.enable()
      let subject = PassthroughSubject<Int, Never>()
      let history = subject.history()
      for log in [first, second] { _ = log.takeLines() }
      for value in [1, 2] { subject.send(value) }
      second.expect(["> History: value 1", "< History: value 1, demand max(0)"])
      expectEqual(first.takeLines().count, 4)
      expectEqual(history.values, [1, 2])
    }
  }

  @Test func aHookIsToldAboutItsOwnPipelines() async {
    await #expect(processExitsWith: .success) {
      let values = CallLog()
      let isInside = Locked(false)
      let log = SignalLog { log, line in
        guard line == "> History: value 1", !isInside.withLock({ $0 }) else { return }
        isInside.withLock { $0 = true }
        _ = Just("\(line)").sink { values.append($0) }
      }
      log.enable()
      let history = Just(1).history()
      log.expect([
        "> subscribe History to Just", "> History: subscription Just",
        "> Just: request unlimited", "> History: value 1", "> subscribe Sink to Just",
        "> Sink: subscription Just", "> Just: request unlimited",
        "> Sink: value > History: value 1", "< Sink: value > History: value 1, demand max(0)",
        "> Sink: finished", "< Sink: finished", "< Just: request unlimited",
        "< Sink: subscription Just", "< subscribe Sink to Just",
        "< History: value 1, demand max(0)", "> History: finished", "< History: finished",
        "< Just: request unlimited", "< History: subscription Just",
        "< subscribe History to Just",
      ])
      expectEqual(values.lines, ["> History: value 1"])
      expectEqual(history.values, [1])
    }
  }

  @Test func anEnabledHookIsKeptUntilItIsDisabled() async {
    await #expect(processExitsWith: .success) {
      let isReleased = Locked(false)
      weak let hook: SignalLog?
      do {
        let token = Token { isReleased.withLock { $0 = true } }
        let log = SignalLog { _, _ in token.touch() }
        log.enable()
        hook = log
      }
      expectEqual(hook?.isEnabled, true)
      let history = Just(1).history()
      expectEqual(hook?.takeLines().count, 10)
      hook?.disable()
      #expect(hook == nil)
      #expect(isReleased.withLock { $0 })
      expectEqual(history.values, [1])
    }
  }

  @Test func aHookDoesNothingByDefault() async {
    await #expect(processExitsWith: .success) {
      let hook = Silent()
      hook.enable()
      let source = ScriptedPublisher<Int, TestError>()
      let history = source.map { $0 * 10 }.history(demand: .max(1))
      source.send(1)
      source.fail("no more")
      history.cancel()
      expectEqual(history.text, "upstream: 10 x(no more)")
      expectEqual(source.calls, [.request(.max(1)), .cancel])
    }
  }

  @Test(.hangLimit) func threadsCanSendWhileHooksComeAndGo() async {
    await #expect(processExitsWith: .success) {
      let always = SignalLog()
      let sometimes = SignalLog()
      always.enable()
      let values = Locked<[Int]>([])
      onThreads(3) { index in
        for round in 0..<200 {
          switch index {
          case 0: if round.isMultiple(of: 2) { sometimes.enable() } else { sometimes.disable() }
          default:
            let numbers = [round, index].publisher.eraseToAnyPublisher()
            let sum = numbers.map { $0 * 10 }.reduce(0, +)
            _ = sum.sink { value in values.withLock { $0.append(value) } }
          }
        }
      }
      let expected = (0..<200).flatMap { (round: Int) -> [Int] in
        let first = round * 10 + 10
        return [first, first + 10]
      }
      let received: [Int] = values.withLock { $0.sorted() }
      expectEqual(received, expected.sorted())
      #expect(!sometimes.isEnabled)
      let lines = always.takeLines()
      expectEqual(lines.count { $0.hasPrefix("> Sink: value") }, 400)
      expectEqual(lines.count { $0.hasPrefix("< Sink: value") }, 400)
    }
  }
}

private final class Silent: _Introspection {}
