import Foundation
import Streams
import TestSupport
import Testing

/// Compares what every operator keeps alive, step by step: its upstream's subscription, downstream,
/// the operator's closures and the values it received.
///
/// Both ends outlive the stream, as they do if a user keeps them: the source keeps its subscriber,
/// and downstream's subscription is kept too. The table says what an operator keeps after two
/// values, and what it releases at the end although the source keeps its subscriber.
struct OperatorReleaseTests {
  /// How the stream ends. Inside a delivery, nothing may be released before the delivery is over.
  enum Ending: CaseIterable {
    case finish, finishInside, failure, failureInside
    case cancellation, cancellationInside, cancellationInsideOnAnotherThread

    var isFailure: Bool { self == .failure || self == .failureInside }
    var isCancellation: Bool { !isFailure && self != .finish && self != .finishInside }

    fileprivate func end(_ source: WatchedSource, _ run: WatchedRun) {
      switch self {
      case .finish, .finishInside: source.send(completion: .finished)
      case .failure, .failureInside: source.send(completion: .failure("no more"))
      case .cancellation, .cancellationInside: run.cancel()
      case .cancellationInsideOnAnotherThread:
        nonisolated(unsafe) let run = run
        onAnotherThread { run.cancel() }
      }
    }
  }

  @Test(arguments: Operation.all, Ending.allCases)
  func releasesEverythingInTime(_ operation: Operation, _ ending: Ending) {
    if operation.exceptions.contains(.trapsOnFailure), ending.isFailure { return }
    let scene = WatchedScene(operation)
    scene.send(1, 2)
    let kept = operation.keptAfterTheEnd(scene.closures)
    let keptBefore =
      ["upstream", "downstream"] + scene.closures
      + operation.keeps.split(separator: " ").map(String.init)
    expectEqual(
      scene.living.names, (scene.run.hasEnded ? kept : keptBefore).sorted().joined(separator: " "))

    scene.end(ending)
    expectEqual(scene.run.releasesInside, [])
    expectEqual(scene.names(after: operation), kept.sorted().joined(separator: " "))

    scene.source.releaseSubscriber()
    expectEqual(scene.living.names, (operation.exceptions.contains(.stateless) ? "upstream" : ""))
    scene.run.releaseSubscription()
    expectEqual(scene.living.names, "")
  }

  /// Values wait if downstream has requested fewer. An end inside a delivery comes with the second
  /// value.
  @Test(arguments: Operation.all, Ending.allCases)
  func releasesValuesThatWait(_ operation: Operation, _ ending: Ending) {
    if operation.exceptions.contains(.trapsOnFailure), ending.isFailure { return }
    let scene = WatchedScene(operation, demand: .max(1))
    scene.sendAsRequested(1, 2, 3)
    scene.end(ending)
    if !ending.isCancellation { scene.run.request() }
    scene.settle()
    expectEqual(scene.run.releasesInside, [])
    let kept = operation.keptAfterTheEnd(scene.closures)
    expectEqual(scene.names(after: operation), kept.sorted().joined(separator: " "))
    scene.source.releaseSubscriber()
    scene.run.releaseSubscription()
    expectEqual(scene.living.names, "")
  }

  /// The operators that the test above is about, with the values that wait.
  @Test func someOperatorsLetValuesWait() {
    let waiting = Operation.all(but: .remembers).compactMap { operation -> String? in
      let scene = WatchedScene(operation, demand: .max(1))
      scene.sendAsRequested(1, 2, 3)
      let values = scene.living.values
      scene.run.cancel()
      scene.source.releaseSubscriber()
      scene.run.releaseSubscription()
      return values.isEmpty ? nil : "\(operation.label): \(values)"
    }
    expectEqual(
      waiting,
      [
        "flatMap, upstream: 1 2 3", "flatMap, child: 2", "flatMap(maxPublishers: 1): 2 3",
        "switchToLatest, upstream: 3", "merge: 2", "combineLatest: 1",
        "collect(.byTime): 1 2 3", "buffer that keeps full: 2 3", "buffer of all values: 2 3",
      ])
  }

  /// A release runs the user's code, which may use the stream. So nothing is released under a lock:
  /// the lock isn't re-entrant, and this test would hang. One value waits if the operator lets it.
  @Test(arguments: Operation.all, Ending.allCases)
  func whatIsReleasedMayUseTheStream(_ operation: Operation, _ ending: Ending) {
    if operation.exceptions.contains(.trapsOnFailure), ending.isFailure { return }
    let scene = WatchedScene(operation, demand: .max(1))
    scene.sendAsRequested(1, 2)
    nonisolated(unsafe) let run = scene.run
    scene.living.onRelease = {
      run.request()
      run.cancel()
    }
    scene.end(ending)
    if !ending.isCancellation { run.request() }
    scene.settle()
    scene.source.releaseSubscriber()
    scene.living.onRelease = nil
    run.releaseSubscription()
    expectEqual(scene.living.names, "")
  }

  /// The clock doesn't move before the end, so the scheduler keeps what it has to deliver.
  @Test(arguments: Operation.all, [Ending.finish, .failure, .cancellation])
  func releasesWhatIsScheduled(_ operation: Operation, _ ending: Ending) {
    if operation.exceptions.contains(.trapsOnFailure), ending.isFailure { return }
    let scene = WatchedScene(operation)
    for value in 1...3 { scene.source.send(scene.number(value)) }
    scene.end(ending)
    let kept = operation.keptAfterTheEnd(scene.closures)
    expectEqual(scene.names(after: operation), kept.sorted().joined(separator: " "))
    scene.source.releaseSubscriber()
    scene.run.releaseSubscription()
    expectEqual(scene.living.names, "")
  }

  @Test(.unless(.outlivesItsEnds), arguments: Operation.all(but: .outlivesItsEnds))
  func withoutAnEndTheLastReferenceReleasesEverything(_ operation: Operation) {
    let scene = WatchedScene(operation)
    scene.send(1, 2)
    scene.run.releaseSubscription()
    scene.source.releaseSubscriber()
    expectEqual(scene.living.names, "")
  }

  /// The end comes from a second thread, at any moment. The clock doesn't move meanwhile.
  @Test(arguments: Operation.all, [Ending.finish, .failure, .cancellation])
  func anEndOnAnotherThreadReleasesEverything(_ operation: Operation, _ ending: Ending) {
    if operation.exceptions.contains(.trapsOnFailure), ending.isFailure { return }
    for _ in 0..<20 {
      let surroundings = Surroundings()
      let source = PassthroughSubject<Number, TestError>()
      nonisolated(unsafe) let run = operation.applied(to: source, surroundings)
        .watch(surroundings.living, demand: .unlimited)
      // Late enough to meet a delivery.
      run.onValue = { sched_yield() }
      onThreads(3) { thread in
        if thread < 2 {
          for value in 1...5 { source.send(surroundings.number(value)) }
        } else {
          sched_yield()
          switch ending {
          case .finish: source.send(completion: .finished)
          case .failure: source.send(completion: .failure("no more"))
          default: run.cancel()
          }
        }
      }
      surroundings.clock.advance(by: .seconds(10))
      expectEqual(run.releasesInside, [])
      run.releaseSubscription()
      expectEqual(surroundings.living.names, "")
    }
  }
}

extension Operation {
  /// What stays alive after the end, because the source keeps its subscriber.
  ///
  /// An operator without state doesn't notice the end. Others release upstream's subscription.
  fileprivate func keptAfterTheEnd(_ closures: [String]) -> [String] {
    (exceptions.isSuperset(of: .stateless) ? ["upstream"] : [])
      + (exceptions.contains(.letsGo) ? [] : ["downstream"])
      + closures
  }
}

/// A source, an operator and a subscriber, all of them watched.
private final class WatchedScene {
  let source: WatchedSource
  let run: WatchedRun
  let living: Living
  let closures: [String]
  private let surroundings: Surroundings

  init(_ operation: Operation, demand: Subscribers.Demand = .unlimited) {
    surroundings = Surroundings()
    living = surroundings.living
    source = WatchedSource(living)
    let applied = operation.applied(to: source, surroundings)
    closures = living.names.split(separator: " ").map(String.init)
    run = applied.watch(living, demand: demand)
    settle()
  }

  /// What is alive after the end, without the values that the operator may remember.
  func names(after operation: Operation) -> String {
    let names = living.names.split(separator: " ")
    return names.filter { !operation.exceptions.contains(.remembers) || Int($0) == nil }
      .joined(separator: " ")
  }

  func settle() { surroundings.clock.advance(by: .seconds(10)) }

  /// A number that is watched.
  func number(_ value: Int) -> Number { surroundings.number(value) }

  func send(_ values: Int...) {
    for value in values {
      source.send(number(value))
      settle()
    }
  }

  /// Sends the values, one for each request.
  func sendAsRequested(_ values: Int...) {
    for value in values where source.demand > 0 { send(value) }
  }

  /// Ends the stream, within a delivery if the ending says so and one comes.
  func end(_ ending: OperatorReleaseTests.Ending) {
    switch ending {
    case .finish, .failure, .cancellation: ending.end(source, run)
    default:
      run.onValue = { [unowned self] in
        run.onValue = nil
        ending.end(source, run)
      }
      run.request()
      sendAsRequested(3, 4, 5)
      source.send(completion: .finished)
    }
    settle()
  }
}

/// A publisher that keeps its subscriber until it's told to release it.
private final class WatchedSource: Publisher {
  typealias Output = Number
  typealias Failure = TestError

  private let living: Living
  private var subscriber: (any Subscriber<Number, TestError>)?
  private var hasEnded = false

  /// The values that may still be sent.
  fileprivate(set) var demand = Subscribers.Demand.none

  init(_ living: Living) { self.living = living }

  func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Number, S.Failure == TestError {
    self.subscriber = subscriber
    subscriber.receive(subscription: WatchedSubscription(self, living.token("upstream")))
  }

  func send(_ value: Number) {
    guard !hasEnded, let subscriber else { return }
    if demand > 0 { demand -= 1 }
    demand += subscriber.receive(value)
  }

  func send(completion: Subscribers.Completion<TestError>) {
    if hasEnded { return }
    hasEnded = true
    subscriber?.receive(completion: completion)
  }

  func releaseSubscriber() { subscriber = nil }
}

private final class WatchedSubscription: Subscription {
  private weak var source: WatchedSource?
  private let token: Token

  init(_ source: WatchedSource, _ token: Token) {
    self.source = source
    self.token = token
  }

  func request(_ demand: Subscribers.Demand) { source?.demand += demand }
  func cancel() {}
}

/// What a watched subscriber has noticed. It keeps the subscription.
final class WatchedRun {
  fileprivate var subscription: (any Subscription)?
  fileprivate(set) var hasEnded = false
  /// The deliveries in which the subscriber was released.
  fileprivate(set) var releasesInside: [String] = []
  /// Runs within each delivery of a value.
  var onValue: (() -> Void)?

  func request() { subscription?.request(.unlimited) }
  func cancel() { subscription?.cancel() }
  func releaseSubscription() { subscription = nil }
}

/// A subscriber that only the stream keeps.
struct WatchedSubscriber<Input, Failure: Error>: Subscriber {
  let combineIdentifier = CombineIdentifier()

  private let run: WatchedRun
  private let living: Living
  private let token: Token
  private let demand: Subscribers.Demand

  init(_ run: WatchedRun, _ living: Living, demand: Subscribers.Demand) {
    self.run = run
    self.demand = demand
    self.living = living
    token = living.token("downstream")
  }

  func receive(subscription: any Subscription) {
    run.subscription = subscription
    subscription.request(demand)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    // Kept apart, because a broken operator releases this subscriber in here.
    let (run, living) = (run, living)
    run.onValue?()
    if !living.names.contains("downstream") { run.releasesInside.append("\(input)") }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) { run.hasEnded = true }
}
