import Streams
import StreamsTesting
import TestSupport
import Testing
import Timeline
import VirtualTime

/// An operator that is attached to an upstream, without its types.
struct AppliedOperation {
  private let subscription: (SubscriberScript) -> OperationRun
  private let watching: (Living, Subscribers.Demand) -> WatchedRun
  private let recording: (Timeline, Subscribers.Demand) -> (any Subscription)?

  init(
    _ publisher: some Publisher, clock: VirtualTimeScheduler, exceptions: Operation.Exceptions
  ) {
    subscription = { script in
      OperationRun(publisher, script: script, clock: clock, exceptions: exceptions)
    }
    watching = { living, demand in
      let run = WatchedRun()
      publisher.subscribe(WatchedSubscriber(run, living, demand: demand))
      return run
    }
    recording = { timeline, demand in
      var kept: (any Subscription)?
      publisher.recorded(as: "operator", on: timeline) { "\($0)" }
        .subscribe(
          AnySubscriber(
            receiveSubscription: { subscription in
              kept = subscription
              if demand > .none { subscription.request(demand) }
            }, receiveValue: { _ in .none }))
      // The subscriber mustn't keep its own subscription.
      defer { kept = nil }
      return kept
    }
  }

  /// Subscribes a subscriber that ignores what it gets. A timeline records what passes.
  func record(
    on timeline: Timeline, demand: Subscribers.Demand
  ) -> (any Subscription)? {
    recording(timeline, demand)
  }

  /// Subscribes a subscriber whose release is watched.
  func watch(_ living: Living, demand: Subscribers.Demand) -> WatchedRun {
    watching(living, demand)
  }

  /// Subscribes a new subscriber.
  func subscribe(_ script: SubscriberScript = SubscriberScript()) -> OperationRun {
    subscription(script)
  }
}

/// How a subscriber behaves.
struct SubscriberScript {
  /// The demand that is requested when the subscription comes.
  var demand = Subscribers.Demand.unlimited
  /// The demand that is returned for each value.
  var perValue = Subscribers.Demand.none
  /// Runs within the delivery of the subscription.
  var onSubscription: (any Subscription) -> Void = { _ in }
  /// Runs within the delivery of each value, with the number of the value, counted from one.
  var onValue: (_ number: Int, any Subscription) -> Void = { _, _ in }
}

/// One subscription to an operator, under a checker of the contract.
final class OperationRun {
  private let clock: VirtualTimeScheduler
  private let readHistory: () -> (values: [String], end: String?, lines: [String])
  private let log = CallLog()
  private let readSubscription: () -> (any Subscription)?

  init<P: Publisher>(
    _ publisher: P, script: SubscriberScript, clock: VirtualTimeScheduler,
    exceptions: Operation.Exceptions
  ) {
    self.clock = clock
    let history = History<P.Output, P.Failure>(demand: .none, perValue: script.perValue)
    let subscription = Locked<(any Subscription)?>(nil)
    history.onSubscription = { new in
      // A second subscription isn't used.
      let isFirst = subscription.withLock { subscription in
        defer { subscription = subscription ?? new }
        return subscription == nil
      }
      guard isFirst else { return }
      script.onSubscription(new)
      if script.demand > .none { new.request(script.demand) }
    }
    let count = Locked(0)
    history.onValue = { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if let subscription = subscription.withLock({ $0 }) { script.onValue(number, subscription) }
      return .none
    }
    publisher.checkingContract(allowing: exceptions.rules, into: log.append).subscribe(history)
    readSubscription = { subscription.withLock { $0 } }
    readHistory = {
      var end: String?
      if let completion = history.completion {
        if case .failure = completion { end = "x" } else { end = "|" }
      }
      return (
        history.values.map { "\($0)".replacing(" ", with: "") }, end, history.lines
      )
    }
  }

  /// The history so far: the values as text, and `|` or `x` for the end.
  var text: String {
    settle()
    let history = readHistory()
    return (history.values + [history.end].compactMap { $0 }).joined(separator: " ")
  }

  /// The values so far, as text.
  var values: [String] {
    settle()
    return readHistory().values
  }

  /// All signals so far, a line each. A test compares two runs with it.
  var lines: [String] {
    settle()
    return readHistory().lines
  }

  /// The rules of the contract that were broken so far.
  var brokenRules: [String] { log.lines }

  /// Expects a history, and that no rule was broken.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(self.text, text, sourceLocation: sourceLocation)
    expectEqual(brokenRules, [], sourceLocation: sourceLocation)
  }

  /// Sends values, and lets the clock run after each.
  func settle(afterEach values: ClosedRange<Int>, send: (Int) -> Void) {
    for value in values {
      send(value)
      settle()
    }
  }

  /// Runs what waits for the clock, for ten seconds of virtual time.
  func settle() { clock.advance(by: .seconds(10)) }

  /// Requests values, and lets the clock run.
  func request(_ count: Int = 1) {
    requestOnly(count)
    settle()
  }

  /// Requests values. Any thread may call it.
  func requestOnly(_ count: Int = 1) { readSubscription()?.request(.max(count)) }

  func cancel() { readSubscription()?.cancel() }
}

extension Operation.Exceptions {
  /// The rules that the operator may break.
  fileprivate var rules: Set<ContractViolation.Rule> {
    var rules: Set<ContractViolation.Rule> = []
    if !isDisjoint(with: [.sendsWithoutDemand, .ignoresDemand]) {
      rules.insert(.valueWithoutDemand)
    }
    if contains(.endsAfterCancel) { rules.insert(.signalAfterCancellation) }
    return rules
  }
}
