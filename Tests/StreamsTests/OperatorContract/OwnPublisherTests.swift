import Streams
import TestSupport
import Testing
import VirtualTime

/// Tests that a publisher of one's own works with every operator: it isn't one of ours, it gives no
/// hints, and it may have made one of the common mistakes.
///
/// The table of operators says which of them pass on signals that come before the subscription.
struct OwnPublisherTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(
    .unless(.dropsBursts), arguments: Operation.all(but: .dropsBursts), OwnPublisher.Habit.allCases)
  func deliversToUnlimitedDemand(_ operation: Operation, _ habit: OwnPublisher.Habit) {
    let publisher = OwnPublisher(habit)
    let run = operation.applied(to: publisher).subscribe()
    expectEqual(run.text, operation.finished(by: habit))
    expectEqual(publisher.surplus.calls, operation.callsOfASecondSubscription(by: habit))
    if habit == .keepsTheRules { expectEqual(run.brokenRules, []) }
    // An operator with another upstream waits for this one's subscription, and keeps itself alive.
    publisher.missing.send()
    run.cancel()
  }

  @Test(
    .unless([.dropsBursts, .losesWithoutDemand, .reorders]),
    arguments: Operation.all(but: [.dropsBursts, .losesWithoutDemand, .reorders]),
    [OwnPublisher.Habit.keepsTheRules, .sendsTwoSubscriptions])
  func deliversToOneRequestAtATime(_ operation: Operation, _ habit: OwnPublisher.Habit) {
    let publisher = OwnPublisher(habit)
    let run = operation.applied(to: publisher).subscribe(SubscriberScript(demand: .none))
    for _ in 1...12 { run.request() }
    expectEqual(run.text, operation.finished)
    expectEqual(publisher.surplus.calls, operation.callsOfASecondSubscription(by: habit))
  }

  @Test(.unless([.early, .earlyEnd]), arguments: Operation.all(but: [.early, .earlyEnd]))
  func aFailureWithoutASubscriptionIsDropped(_ operation: Operation) {
    let source = Source(sendsSubscription: false)
    let run = operation.applied(to: source).subscribe()
    defer { breakCycles(of: source) { run.cancel() } }
    let before = run.lines
    for value in 1...3 { expectEqual(source.send(value), .none) }
    source.fail("no more")
    expectEqual(run.lines, before)
  }

  @Test(arguments: Operation.all(with: .early))
  func aFailureWithoutASubscriptionIsDelivered(_ operation: Operation) {
    if operation.exceptions.contains(.trapsOnFailure) { return }
    let source = Source(sendsSubscription: false)
    let run = operation.applied(to: source).subscribe()
    for value in 1...3 { source.send(value) }
    source.fail("no more")
    expectEqual(run.text, operation.failed)
  }

  /// What has ended without a subscription doesn't begin again.
  @Test(arguments: Operation.all(with: .early).filter { !$0.passesLateSignalsOn })
  func aSubscriptionAfterTheEndIsCancelled(_ operation: Operation) {
    let source = Source(sendsSubscription: false)
    let run = operation.applied(to: source).subscribe()
    for value in 1...5 { source.send(value) }
    source.finish()
    let before = run.lines
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(source.send(6), .none)
    source.finish()
    expectEqual(run.lines, before)
    expectEqual(run.text, operation.finished)
  }

  /// Some operators hand out their subscription before they have upstream's. After a cancellation,
  /// they deliver nothing.
  @Test(.unless(.late), arguments: Operation.all(but: .late))
  func aCancellationBeforeTheSubscriptionCounts(_ operation: Operation) {
    let source = Source(sendsSubscription: false)
    let run = operation.applied(to: source).subscribe()
    defer { breakCycles(of: source) { run.cancel() } }
    guard !run.lines.isEmpty, source.subscriberCount > 0 else { return }
    run.cancel()
    let before = run.lines
    for value in 1...5 { expectEqual(source.send(value), .none) }
    source.finish()
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(run.lines, before)
  }

  /// An operator with another upstream waits for this one's subscription, and keeps itself alive.
  private func breakCycles(of source: Source, _ cancel: () -> Void) {
    if source.subscriberCount > 0 { source.sendSubscription() }
    cancel()
    source.releaseSubscribers()
  }

  /// The subscribers of these operators are subscriptions too, so their upstream can cancel them.
  /// Combine's forget a cancellation that comes so early, except that of `throttle`.
  @Test(arguments: ["buffer", "debounce", "delay", "timeout", "throttle"])
  func aCancellationByUpstreamBeforeItsSubscriptionCounts(name: String) throws {
    let clock = VirtualTimeScheduler()
    let source = KeepingPublisher()
    let history =
      switch name {
      case "buffer": source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).history()
      case "debounce": source.debounce(for: .seconds(1), scheduler: clock).history()
      case "delay": source.delay(for: .seconds(1), scheduler: clock).history()
      case "timeout": source.timeout(.seconds(1), scheduler: clock).history()
      default: source.throttle(for: .seconds(1), scheduler: clock, latest: true).history()
      }
    let subscriber = try #require(source.subscriber)
    try #require(subscriber as? any Subscription).cancel()
    let subscription = ScriptedSubscription()
    subscriber.receive(subscription: subscription)
    _ = subscriber.receive(1)
    subscriber.receive(completion: .finished)
    clock.advance(by: .seconds(10))
    expectEqual(subscription.calls, [.cancel])
    expectEqual(history.events, [])
  }
}

/// A publisher that sends nothing, and whose subscriber the test can see.
private final class KeepingPublisher: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  private(set) var subscriber: (any Subscriber<Int, TestError>)?

  func receive<S: Subscriber<Int, TestError>>(subscriber: S) { self.subscriber = subscriber }
}

extension Operation {
  /// The history of the values that count, if an ``OwnPublisher`` sends them.
  fileprivate func finished(by habit: OwnPublisher.Habit) -> String {
    if exceptions.contains(.early) || habit.sendsSubscriptionFirst { return finished }
    switch habit {
    case .sendsNoSubscription: return exceptions.contains(.earlyEnd) ? "|" : ""
    default:
      let late = OwnPublisher(.keepsTheRules, values: 3...5)
      return applied(to: late).subscribe().text
    }
  }

  fileprivate func callsOfASecondSubscription(
    by habit: OwnPublisher.Habit
  ) -> [ScriptedSubscription.Call] {
    habit == .sendsTwoSubscriptions && !exceptions.contains(.second) ? [.cancel] : []
  }
}

/// A publisher as users write them: it sends numbers on request, finishes, and knows none of our
/// protocols' extra requirements.
struct OwnPublisher: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  enum Habit: CaseIterable, Sendable {
    case keepsTheRules
    case sendsNoSubscription
    case sendsTwoSubscriptions
    /// The first two values come before the subscription.
    case startsEarly

    var sendsSubscriptionFirst: Bool {
      self == .keepsTheRules || self == .sendsTwoSubscriptions
    }
  }

  /// The second subscription of a publisher that sends two.
  let surplus = ScriptedSubscription()

  /// The subscription of a publisher that sends none.
  let missing = MissingSubscription()

  private let habit: Habit
  private let values: ClosedRange<Int>

  init(_ habit: Habit, values: ClosedRange<Int> = 1...5) {
    self.habit = habit
    self.values = values
  }

  func receive<S: Subscriber<Int, TestError>>(subscriber: S) {
    switch habit {
    case .keepsTheRules:
      subscriber.receive(subscription: OwnSubscription(Array(values), for: subscriber))
    case .sendsNoSubscription:
      for value in values { _ = subscriber.receive(value) }
      subscriber.receive(completion: .finished)
      missing.receive = { subscriber.receive(subscription: ScriptedSubscription()) }
    case .sendsTwoSubscriptions:
      let subscription = OwnSubscription(Array(values), for: subscriber)
      subscription.isPaused = true
      subscriber.receive(subscription: subscription)
      subscriber.receive(subscription: surplus)
      subscription.isPaused = false
      subscription.send()
    case .startsEarly:
      for value in values.prefix(2) { _ = subscriber.receive(value) }
      subscriber.receive(
        subscription: OwnSubscription(Array(values.dropFirst(2)), for: subscriber))
    }
  }
}

/// Sends the subscription that was missing, at the end of a test.
final class MissingSubscription {
  var receive: (() -> Void)?

  func send() { receive.take()?() }
}

private final class OwnSubscription<S: Subscriber<Int, TestError>>: Subscription {
  /// Whether requests are only counted.
  var isPaused = false

  private var values: ArraySlice<Int>
  private var demand = Subscribers.Demand.none
  private var subscriber: S?

  init(_ values: [Int], for subscriber: S) {
    self.values = values[...]
    self.subscriber = subscriber
  }

  func request(_ demand: Subscribers.Demand) {
    self.demand += demand
    if !isPaused { send() }
  }

  func send() {
    while demand > 0, let subscriber, let value = values.popFirst() {
      demand -= 1
      demand += subscriber.receive(value)
    }
    if values.isEmpty { subscriber.take()?.receive(completion: .finished) }
  }

  func cancel() { subscriber = nil }
}
