import Foundation
import Streams
import Synchronization
import TestSupport
import Testing

/// Tests the promises of all operators that end before upstream does. Here they end after 1 and 2:
/// at the value 2, or at the next value, 3.
struct EarlyEndTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(arguments: EarlyEndOperator.all)
  func cancelsUpstreamThenFinishesAndDropsLaterSignals(_ operation: EarlyEndOperator) {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, any Error>(demand: .max(7), perValue: .max(4), log: log)
    operation.apply(source).subscribe(history)
    #expect(source.send(1) == .max(4))
    history.request(2)
    #expect(source.send(2) == .max(4))
    for value in 3...5 { #expect(source.send(value) == .none) }
    source.finish()
    source.fail("late")
    history.request(1)
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request max(7)", "downstream: value 1", "upstream: request max(2)",
        "downstream: value 2", "upstream: cancel", "downstream: finished",
      ])
  }

  @Test(arguments: EarlyEndOperator.all)
  func passesTheEndOfUpstreamOn(_ operation: EarlyEndOperator) {
    let source = Source()
    let finished = operation.apply(source).history()
    source.send(1)
    source.finish()
    #expect(source.send(2) == .none)
    let failed = operation.apply(source).history()
    source.fail("no more")
    #expect(finished.events == [.subscription(operation.name), .value(1), .finished])
    #expect(failed.events == [.subscription(operation.name), .failure(TestError("no more"))])
    #expect(source.calls == [.request(.unlimited), .request(.unlimited)])
  }

  @Test(arguments: EarlyEndOperator.all)
  func aCancellationInsideTheLastValuePreventsTheCompletion(_ operation: EarlyEndOperator) {
    let source = Source()
    let history = History<Int, any Error>()
    history.onValue = { value in
      if value == 2 { history.cancel() }
      return .none
    }
    operation.apply(source).subscribe(history)
    for value in 1...3 { source.send(value) }
    #expect(history.events == [.subscription(operation.name), .value(1), .value(2)])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test(arguments: EarlyEndOperator.all)
  func aCancellationWhileUpstreamIsCancelledPreventsTheCompletion(_ operation: EarlyEndOperator) {
    let source = Source()
    let history = operation.apply(source).history()
    source.onCancel = { history.cancel() }
    for value in 1...3 { source.send(value) }
    #expect(history.events == [.subscription(operation.name), .value(1), .value(2)])
    #expect(source.calls == [.request(.unlimited), .cancel])
    source.onCancel = nil
  }

  @Test(arguments: EarlyEndOperator.all)
  func aSendFromWithinADeliveryNestsAndMayEndTheStream(_ operation: EarlyEndOperator) {
    let source = Source()
    let history = History<Int, any Error>(perValue: .max(1))
    history.onValue = { value in
      if value == 1 { for next in 2...3 { source.send(next) } }
      if value == 2 { source.send(3) }
      return .none
    }
    operation.apply(source).subscribe(history)
    source.send(1)
    #expect(
      history.events == [.subscription(operation.name), .value(1), .value(2), .finished])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test(arguments: EarlyEndOperator.all)
  func needsNoSubscription(_ operation: EarlyEndOperator) {
    let source = Source(sendsSubscription: false)
    let history = operation.apply(source).history()
    for value in 1...3 { #expect(source.send(value) == .none) }
    source.finish()
    #expect(history.events == [.value(1), .value(2), .finished])
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(history.events == [.value(1), .value(2), .finished])
  }

  @Test(arguments: EarlyEndOperator.all)
  func aCancellationFromAnotherThreadIsSafeAtAnyMoment(_ operation: EarlyEndOperator) {
    for _ in 0..<200 {
      let source = Source()
      let history = operation.apply(source).history()
      onThreads(2) { thread in
        if thread == 1 { return history.cancel() }
        for value in 1...3 { source.send(value) }
      }
      let all: [History<Int, any Error>.Event] = [
        .subscription(operation.name), .value(1), .value(2), .finished,
      ]
      #expect(history.events == Array(all.prefix(history.events.count)))
      #expect(source.calls.count { $0 == .cancel } == 1)
    }
  }

  /// Upstream, while the operator cancels it, waits until downstream's cancellation has returned.
  /// After that, the completion doesn't come any more.
  @Test func nothingComesAfterACancellationThatMeetsTheEnd() {
    let operation = EarlyEndOperator.all[2]
    let rounds = (0..<3000).map { _ in EarlyEndRound(operation) }
    onTwoThreadsInStep(rounds) { round, thread in
      thread == 0 ? round.end() : round.cancel()
    }
    for round in rounds {
      #expect(round.events == [.subscription(operation.name), .value(1), .value(2)])
    }
  }

  @Test(arguments: EarlyEndOperator.all)
  func aSequenceIsNotIteratedPastItsEnd(_ operation: EarlyEndOperator) {
    let history = operation.applyToAny((1...).publisher.setFailureType(to: TestError.self))
      .history()
    #expect(
      history.events == [.subscription(operation.name), .value(1), .value(2), .finished])
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Source().prefix(2).history(demand: .none).request(.none)
    }
    await #expect(processExitsWith: .failure) {
      Source().prefix { _ in true }.history(demand: .none).request(.none)
    }
  }
}

/// A stream that one thread ends while another one cancels it.
private final class EarlyEndRound: Sendable {
  private let source = ScriptedPublisher<Int, TestError>()
  private let history: History<Int, any Error>
  private let ender = Locked<ObjectIdentifier?>(nil)
  private let hasEnded = Atomic<Bool>(false)
  private let isCancelled = Atomic<Bool>(false)

  var events: [History<Int, any Error>.Event] { history.events }

  init(_ operation: EarlyEndOperator) {
    history = operation.apply(source).history()
    source.send(1)
    source.send(2)
    source.onCancel = { [unowned self] in
      if ender.withLock({ $0 }) != ObjectIdentifier(Thread.current) { return }
      hasEnded.store(true, ordering: .relaxed)
      while !isCancelled.load(ordering: .acquiring) { sched_yield() }
    }
  }

  /// Ends the stream.
  ///
  /// - Returns: Whether it wasn't cancelled before.
  func end() -> Bool {
    ender.withLock { $0 = ObjectIdentifier(Thread.current) }
    source.send(3)
    return hasEnded.load(ordering: .relaxed)
  }

  /// Cancels the stream.
  ///
  /// - Returns: Whether it hadn't ended before.
  func cancel() -> Bool {
    history.cancel()
    isCancelled.store(true, ordering: .releasing)
    return !hasEnded.load(ordering: .relaxed)
  }
}

/// An operator that publishes 1 and 2, and then ends.
struct EarlyEndOperator: CustomTestStringConvertible, Sendable {
  typealias Numbers = AnyPublisher<Int, TestError>

  let name: String
  let label: String
  let applyToNumbers: @Sendable (Numbers) -> AnyPublisher<Int, any Error>

  func apply(_ source: ScriptedPublisher<Int, TestError>) -> AnyPublisher<Int, any Error> {
    applyToAny(source)
  }

  func applyToAny<P: Publisher<Int, TestError>>(_ source: P) -> AnyPublisher<Int, any Error> {
    applyToNumbers(source.eraseToAnyPublisher())
  }

  var testDescription: String { label }

  static let all = [
    EarlyEndOperator(name: "Output", label: "prefix(2)") { source in
      source.prefix(2).mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    EarlyEndOperator(name: "Output", label: "output(in: ...1)") { source in
      source.output(in: ...1).mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    EarlyEndOperator(name: "PrefixWhile", label: "prefix(while:)") { source in
      source.prefix { $0 < 3 }.mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    EarlyEndOperator(name: "TryPrefixWhile", label: "tryPrefix(while:)") { source in
      source.tryPrefix { $0 < 3 }.eraseToAnyPublisher()
    },
  ]
}
