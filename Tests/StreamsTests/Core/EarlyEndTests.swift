import Foundation
import Streams
import Synchronization
import TestSupport
import Testing

/// Tests the promises of all operators that end before upstream does. Here they end after 1 and 2:
/// at the value 2, or at the next value, 3. `OperatorContractTests` tests them like all others.
struct EarlyEndTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(arguments: EarlyEndOperator.all)
  func cancelsUpstreamThenFinishesAndDropsLaterSignals(_ operation: EarlyEndOperator) {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, any Error>(demand: .max(7), perValue: .max(4), log: log)
    operation.apply(source).subscribe(history)
    expectEqual(source.send(1), .max(4))
    history.request(2)
    expectEqual(source.send(2), .max(4))
    for value in 3...5 { expectEqual(source.send(value), .none) }
    source.finish()
    source.fail("late")
    history.request(1)
    history.cancel()
    expectEqual(
      log.lines,
      [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request max(7)", "downstream: value 1", "upstream: request max(2)",
        "downstream: value 2", "upstream: cancel", "downstream: finished",
      ])
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
      expectEqual(round.events, [.subscription(operation.name), .value(1), .value(2)])
    }
  }

  @Test(arguments: EarlyEndOperator.all)
  func aSequenceIsNotIteratedPastItsEnd(_ operation: EarlyEndOperator) {
    let history = operation.applyToAny((1...).publisher.setFailureType(to: TestError.self))
      .history()
    expectEqual(
      history.events, [.subscription(operation.name), .value(1), .value(2), .finished])
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
