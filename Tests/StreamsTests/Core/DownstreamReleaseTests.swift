import Foundation
import TestSupport
import Testing

@testable import Streams

/// Tests that a junction releases its downstream at the end, even if a user keeps the subscription,
/// and never while downstream is receiving something.
struct DownstreamReleaseTests {
  typealias Source = PassthroughSubject<Int, TestError>

  enum Operator: CaseIterable, Sendable {
    case merge, flatMap, flatMapWithALimit, zip, combineLatest, switchToLatest

    /// Attaches a subscriber to two sources through the operator.
    fileprivate func attach(_ subscriber: Watched, to first: Source, _ second: Source) {
      switch self {
      case .merge: first.merge(with: second).subscribe(subscriber)
      case .flatMap: [first, second].publisher.flatMap { $0 }.subscribe(subscriber)
      case .flatMapWithALimit:
        first.map { Just($0) }.flatMap(maxPublishers: .max(1_000)) { $0 }.subscribe(subscriber)
      case .zip: first.zip(second) { $0 + $1 }.subscribe(subscriber)
      case .combineLatest: first.combineLatest(second) { $0 + $1 }.subscribe(subscriber)
      case .switchToLatest: Just(first).switchToLatest().subscribe(subscriber)
      }
    }
  }

  enum End: CaseIterable, Sendable {
    case finish, failure, cancellation

    fileprivate func end(_ watch: Watch, _ first: Source, _ second: Source) {
      switch self {
      case .finish:
        first.send(completion: .finished)
        second.send(completion: .finished)
      case .failure: first.send(completion: .failure("enough"))
      case .cancellation: watch.cancel()
      }
    }
  }

  @Test(arguments: Operator.allCases, End.allCases)
  func downstreamOutlivesTheDeliveryThatEndsTheStream(_ name: Operator, _ end: End) {
    let (first, second) = (Source(), Source())
    let watch = Watch()
    name.attach(Watched(watch), to: first, second)
    watch.onValue.withLock {
      $0 = Action {
        end.end(watch, first, second)
        // A value from within the delivery, after the end.
        first.send(2)
        second.send(2)
      }
    }
    first.send(1)
    second.send(1)
    // The watch still keeps the subscription, which is the junction.
    #expect(watch.isReleased)
    #expect(watch.values == 1)
    #expect(watch.lateValues == 0)
    watch.drop()
  }

  @Test(arguments: Operator.allCases, End.allCases)
  func anEndOnAnotherThreadNeverReleasesDownstreamDuringADelivery(_ name: Operator, _ end: End) {
    for _ in 0..<200 {
      let (first, second) = (Source(), Source())
      let watch = Watch()
      name.attach(Watched(watch), to: first, second)
      // Late enough to meet a delivery.
      watch.onValue.withLock { $0 = Action { for _ in 0..<3 { sched_yield() } } }
      onThreads(3) { index in
        switch index {
        case 0: for value in 0..<10 { first.send(value) }
        case 1: for value in 0..<10 { second.send(value) }
        default:
          sched_yield()
          end.end(watch, first, second)
        }
      }
      #expect(watch.isReleased)
      #expect(watch.lateValues == 0)
      watch.drop()
    }
  }
}

/// A closure in an object.
private final class Action: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// The history of a ``Watched`` subscriber. It also keeps its subscription.
private final class Watch: Sendable {
  struct State {
    nonisolated(unsafe) var subscription: (any Subscription)?
    var isReleased = false
    var values = 0
    var lateValues = 0
  }

  let state = Locked(State())
  let onValue = Locked<Action?>(nil)

  var isReleased: Bool { state.withLock { $0.isReleased } }
  var values: Int { state.withLock { $0.values } }

  /// The number of deliveries during which, or before which, the subscriber was released.
  var lateValues: Int { state.withLock { $0.lateValues } }

  func cancel() { state.withLock { $0.subscription }?.cancel() }

  /// Releases what this keeps.
  func drop() {
    _ = state.withLock { $0.subscription.take() }
    _ = onValue.withLock { $0.take() }
  }
}

/// A subscriber that reports its release, and checks in each delivery that it's still there.
private struct Watched: Subscriber {
  typealias Input = Int
  typealias Failure = TestError

  let combineIdentifier = CombineIdentifier()

  // Not in the token, so that it can be asked after the release.
  let watch: Watch
  let token: Token

  init(_ watch: Watch) {
    self.watch = watch
    token = Token { watch.state.withLock { $0.isReleased = true } }
  }

  func receive(subscription: any Subscription) {
    watch.state.withLock { $0.subscription = subscription }
    subscription.request(.unlimited)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    // Retained, because the token isn't any more in a broken version.
    let watch = watch
    let action = watch.onValue.withLock { $0 }
    action?.run()
    watch.state.withLock { state in
      state.values += 1
      if state.isReleased { state.lateValues += 1 }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<TestError>) {}
}
