import Dispatch
import Streams
import TestSupport
import Testing

/// Tests the promises of all operators that continue with another upstream when one fails. The
/// replacement is the number 7, or for `retry` the same source again.
struct SuccessionTests {
  @Test(arguments: SuccessionOperator.all)
  func passesValuesDemandAndTheEndOn(_ operation: SuccessionOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = operation.apply(source).history(demand: .max(3), perValue: .max(2))
    let demand = source.send(1)
    history.request(4)
    source.finish()
    source.finish()
    expectEqual(source.send(2), .none)
    history.request(5)
    history.cancel()
    expectEqual(history.events, [.subscription(operation.name), .value(1), .finished])
    if operation.returnsDemandByRequest {
      expectEqual(demand, .none)
      expectEqual(source.calls, [.request(.max(3)), .request(.max(2)), .request(.max(4))])
    } else {
      expectEqual(demand, .max(2))
      expectEqual(source.calls, [.request(.max(3)), .request(.max(4))])
    }
  }

  @Test(
    arguments: SuccessionOperator.all,
    [Subscribers.Completion.finished, .failure(TestError("too early"))])
  func signalsOfTheNextBeforeItsSubscriptionAreDropped(
    _ operation: SuccessionOperator, completion: Subscribers.Completion<TestError>
  ) {
    let first = ScriptedPublisher<Int, TestError>()
    let second = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = operation.apply(first, then: second).history()
    first.fail("no more")
    expectEqual(second.send(1), .none)
    second.send(completion: completion)
    expectEqual(history.events, [.subscription(operation.name)])
    second.sendSubscription()
    second.send(2)
    second.finish()
    expectEqual(history.events, [.subscription(operation.name), .value(2), .finished])
  }

  @Test(arguments: SuccessionOperator.all)
  func signalsOfTheFirstAfterItsTurnAreDropped(_ operation: SuccessionOperator) {
    let first = ScriptedPublisher<Int, TestError>()
    let second = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = operation.apply(first, then: second).history(demand: .max(2))
    first.fail("no more")
    expectEqual(first.send(1), .none)
    first.finish()
    expectEqual(first.sendSubscription().calls, [.cancel])
    expectEqual(second.sendSubscription().calls, [.request(.max(2))])
    expectEqual(first.sendSubscription().calls, [.cancel])
    expectEqual(second.sendSubscription().calls, [.cancel])
    expectEqual(first.send(2), .none)
    first.finish()
    second.send(3)
    second.finish()
    expectEqual(history.events, [.subscription(operation.name), .value(3), .finished])
    expectEqual(first.subscriptions[0].calls, [.request(.max(2))])
    expectEqual(second.subscriptions[0].calls, [.request(.max(2))])
  }

  @Test(arguments: SuccessionOperator.all, [Subscribers.Demand.none, .max(3)])
  func aFailureWithinADeliveryHandsTheRestOfTheDemandOn(
    _ operation: SuccessionOperator, perValue: Subscribers.Demand
  ) {
    let first = ScriptedPublisher<Int, TestError>()
    let second = ScriptedPublisher<Int, TestError>()
    let history = History<Int, any Error>(demand: .max(3))
    history.onValue = { value in
      if value == 1 { first.fail("no more") }
      return value == 1 ? perValue : .none
    }
    operation.apply(first, then: second).subscribe(history)
    expectEqual(first.send(1), .none)
    expectEqual(first.calls, [.request(.max(3))])
    expectEqual(second.calls, [.request(.max(2))] + (perValue > 0 ? [.request(perValue)] : []))
    second.send(2)
    second.finish()
    expectEqual(history.events, [.subscription(operation.name), .value(1), .value(2), .finished])
    history.onValue = nil
  }

  /// The source fails while another thread requests values one by one. The replacement or the
  /// second attempt gets exactly the demand that the first one didn't meet.
  @Test(arguments: SuccessionOperator.all)
  func noDemandIsLostOrDoubledBetweenTwoUpstreams(_ operation: SuccessionOperator) {
    for _ in 0..<200 {
      let first = ScriptedPublisher<Int, TestError>()
      let second = ScriptedPublisher<Int, TestError>()
      let history = operation.apply(first, then: second).history(demand: .max(5))
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          first.send(1)
          first.send(2)
          first.fail("no more")
        } else {
          for _ in 0..<10 { history.request(1) }
        }
      }
      let requested = second.calls.map { call -> Int in
        guard case .request(let demand) = call else { return 0 }
        return demand.max ?? 0
      }
      // All fifteen, without the two that the first publisher has served.
      let total = requested.reduce(0, +)
      expectEqual(total, 13)
      expectEqual(history.events, [.subscription(operation.name), .value(1), .value(2)])
    }
  }

  /// The demand is either owed to the second upstream or requested from it, never both.
  @Test(arguments: SuccessionOperator.all)
  func aRequestThatMeetsTheSecondSubscriptionCountsOnce(_ operation: SuccessionOperator) {
    let rounds = (0..<2000).map { _ in SuccessionRound(operation) }
    onTwoThreadsInStep(rounds) { round, thread in
      thread == 0 ? round.sendSubscription() : round.request()
    }
    for round in rounds { expectEqual(round.requested, .max(6)) }
  }

  @Test(arguments: SuccessionOperator.all)
  func aCancellationFromAnotherThreadIsSafeAtAnyMoment(_ operation: SuccessionOperator) {
    for _ in 0..<200 {
      let first = ScriptedPublisher<Int, TestError>()
      let second = ScriptedPublisher<Int, TestError>()
      let history = operation.apply(first, then: second).history()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          first.send(1)
          first.fail("no more")
          if second.subscriberCount > 0 { second.send(2) }
        } else {
          history.cancel()
        }
      }
      // Only the upstream whose turn it is gets cancelled, not one that failed before.
      #expect((first.calls + second.calls).count { $0 == .cancel } <= 1)
      if let last = second.subscriptions.last { #expect(last.isCancelled) }
      #expect(history.completion == nil)
    }
  }

  @Test func aSourceThatEmitsDirectlyIntoASinkIsReplacedToo() {
    let log = CallLog()
    [1, 2, 3].publisher.tryMap { value in
      guard value < 3 else { throw TestError("\(value)") }
      return value
    }.retry(1).catch { [7, "\($0)".count].publisher }.sink {
      log.append("\($0)")
    } receiveValue: {
      log.append("\($0)")
    }.cancel()
    expectEqual(log.lines, ["1", "2", "1", "2", "7", "1", "finished"])
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher<Int, TestError>()
      source.catch { _ in [7].publisher }.history(demand: .none).request(.none)
    }
  }

  @Test func aSecondFailureTraps() async {
    await #expect(processExitsWith: .failure) {
      let source = ScriptedPublisher<Int, TestError>()
      _ = source.catch { _ in PassthroughSubject<Int, Never>() }.history()
      source.fail("once")
      source.fail("twice")
    }
  }
}

/// A stream between two upstreams. The second one's subscription comes on one thread, and a request
/// on another.
private final class SuccessionRound: Sendable {
  private let first = ScriptedPublisher<Int, TestError>()
  private let second = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
  private let history: History<Int, any Error>

  /// Everything that was requested from the second upstream.
  var requested: Subscribers.Demand {
    second.calls.reduce(.none) { sum, call in
      if case .request(let demand) = call { sum + demand } else { sum }
    }
  }

  init(_ operation: SuccessionOperator) {
    history = operation.apply(first, then: second).history(demand: .max(5))
    first.fail("no more")
  }

  /// - Returns: Whether the request came later.
  func sendSubscription() -> Bool { second.sendSubscription().calls.first == .request(.max(5)) }

  /// - Returns: Whether the subscription hasn't come yet.
  func request() -> Bool {
    history.request(1)
    return second.subscriptions.isEmpty
  }
}

/// An operator that continues with another upstream.
struct SuccessionOperator: CustomTestStringConvertible, Sendable {
  typealias Source = ScriptedPublisher<Int, TestError>

  let name: String
  private let make: @Sendable (AnyPublisher<Int, TestError>, Source) -> AnyPublisher<Int, any Error>

  /// Whether the demand returned for a value goes upstream as a request.
  var returnsDemandByRequest: Bool { name == "Retry" }

  func apply(_ source: Source) -> AnyPublisher<Int, any Error> {
    make(source.eraseToAnyPublisher(), source)
  }

  /// Gives the first subscriber the first source, and the next one the second source.
  func apply(_ first: Source, then second: Source) -> AnyPublisher<Int, any Error> {
    make(AnyPublisher(Succession(first: first, second: second)), second)
  }

  var testDescription: String { name }

  static let all = [
    SuccessionOperator(name: "Catch") { source, replacement in
      source.catch { _ in replacement }.mapError { $0 as any Error }.eraseToAnyPublisher()
    },
    SuccessionOperator(name: "TryCatch") { source, replacement in
      source.tryCatch { _ in replacement }.eraseToAnyPublisher()
    },
    SuccessionOperator(name: "Retry") { source, _ in
      source.retry(1).mapError { $0 as any Error }.eraseToAnyPublisher()
    },
  ]

  private struct Succession: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    let first: Source
    let second: Source

    func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Int, S.Failure == TestError {
      (first.subscriberCount == 0 ? first : second).receive(subscriber: subscriber)
    }
  }
}
