import Streams

extension Publisher {
  /// Subscribes a new ``History`` behind a ``RuleChecker``, and returns the checker.
  ///
  /// ```swift
  /// let checker = [1, 2].publisher.map { $0 * 10 }.checkedHistory()
  /// #expect(checker.brokenRules == [])
  /// #expect(checker.downstream.values == [10, 20])
  /// ```
  package func checkedHistory(
    demand: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none,
    allowing exceptions: RuleExceptions = []
  ) -> RuleChecker<History<Output, Failure>> {
    let checker = RuleChecker(
      History<Output, Failure>(demand: demand, perValue: perValue), allowing: exceptions)
    subscribe(checker)
    return checker
  }
}

/// A subscriber that passes every signal on, and records which of them break the rules for
/// publishers.
///
/// The rules are those of ``PublisherRule``. The checker stands between a publisher and any other
/// subscriber, and gives that subscriber a subscription of its own, so it sees the requests and the
/// cancellation too. It stops nothing: a signal that breaks a rule still arrives downstream.
///
/// ```swift
/// let checker = RuleChecker(History<Int, Never>(demand: .max(1)))
/// let source = ScriptedPublisher<Int, Never>()
/// source.subscribe(checker)
/// source.send(1)
/// source.send(2)
/// #expect(checker.brokenRules == [BrokenRule(.valuesWithinDemand, signal: "value 2")])
/// ```
///
/// Any thread may deliver, request and cancel.
package final class RuleChecker<Downstream: Subscriber>: Subscriber, Fixture {
  package typealias Input = Downstream.Input
  package typealias Failure = Downstream.Failure

  private struct State {
    var hasSubscription = false
    var hasEnded = false
    var cancellingThread: UInt?
    var demand = Subscribers.Demand.none
    /// The thread that delivers, and how many of its deliveries are nested.
    var delivering: (thread: UInt, depth: Int)?
    var brokenRules: [BrokenRule] = []
  }

  /// The subscriber that receives all signals.
  package let downstream: Downstream

  private let exceptions: RuleExceptions
  private let state = Locked(State())

  /// Makes a checker in front of a subscriber.
  package init(_ downstream: Downstream, allowing exceptions: RuleExceptions = []) {
    self.downstream = downstream
    self.exceptions = exceptions
    register()
  }

  // MARK: Read by the test

  /// The rules that were broken so far, in order.
  package var brokenRules: [BrokenRule] { state.withLock { $0.brokenRules } }

  /// How many more values may come.
  package var remainingDemand: Subscribers.Demand { state.withLock { $0.demand } }

  /// Whether a completion has come.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  package func letGo() { (downstream as? any Fixture)?.letGo() }

  // MARK: Subscriber

  package func receive(subscription: any Subscription) {
    deliver("subscription \(subscription)") { state in
      if state.hasSubscription { return .oneSubscription }
      state.hasSubscription = true
      // A completion before the subscription has been reported already.
      return nil
    } to: {
      downstream.receive(subscription: CheckedSubscription(upstream: subscription, checker: self))
    }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    deliver("value \(input)") { state in
      let isWithinDemand = state.demand > .none
      if isWithinDemand { state.demand -= 1 }
      if !state.hasSubscription { return .subscriptionFirst }
      if state.hasEnded { return .nothingAfterTheEnd }
      if isLate(state), !exceptions.contains(.valuesAfterCancel) { return .nothingAfterCancel }
      return isWithinDemand || exceptions.contains(.valuesWithoutDemand)
        ? nil : .valuesWithinDemand
    } to: {
      let more = downstream.receive(input)
      state.withLock { $0.demand += more }
      return more
    }
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    let signal =
      switch completion {
      case .finished: "finished"
      case .failure(let error): "failure \(error)"
      }
    deliver(signal) { state in
      defer { state.hasEnded = true }
      if !state.hasSubscription { return .subscriptionFirst }
      if state.hasEnded { return .oneEnd }
      return isLate(state) && !exceptions.contains(.endAfterCancel) ? .nothingAfterCancel : nil
    } to: {
      downstream.receive(completion: completion)
    }
  }

  // MARK: The subscription

  fileprivate func willRequest(_ demand: Subscribers.Demand) {
    state.withLock { $0.demand += demand }
  }

  fileprivate func didCancel() {
    state.withLock { $0.cancellingThread = $0.cancellingThread ?? currentThreadNumber }
  }

  /// Whether a signal comes after a cancellation that it has to respect.
  private func isLate(_ state: State) -> Bool {
    guard let thread = state.cancellingThread else { return false }
    return thread == currentThreadNumber || !exceptions.contains(.lateSignalsOfOtherThreads)
  }

  /// Checks a signal, then passes it on outside the lock.
  private func deliver<Result>(
    _ signal: @autoclosure () -> String, _ check: (inout State) -> PublisherRule?,
    to pass: () -> Result
  ) -> Result {
    let thread = currentThreadNumber
    let broken = state.withLock { state -> [PublisherRule] in
      var rules = [check(&state)].compactMap { $0 }
      if let delivering = state.delivering, delivering.thread != thread {
        rules.append(.oneThreadAtATime)
      } else {
        state.delivering = (thread, (state.delivering?.depth ?? 0) + 1)
      }
      return rules
    }
    if !broken.isEmpty {
      let text = signal()
      state.withLock { $0.brokenRules += broken.map { BrokenRule($0, signal: text) } }
    }
    defer {
      state.withLock { state in
        if let delivering = state.delivering, delivering.thread == thread {
          state.delivering = delivering.depth > 1 ? (thread, delivering.depth - 1) : nil
        }
      }
    }
    return pass()
  }
}

// All state is behind the lock; the test is responsible for its subscriber.
extension RuleChecker: @unchecked Sendable {}

/// A rule that every publisher has to keep.
package enum PublisherRule: String, Sendable {
  /// Nothing comes before the subscription.
  case subscriptionFirst
  /// There is only one subscription.
  case oneSubscription
  /// Each value was requested.
  case valuesWithinDemand
  /// No value comes after the completion.
  case nothingAfterTheEnd
  /// There is only one completion.
  case oneEnd
  /// Once `cancel()` has returned, nothing more comes.
  case nothingAfterCancel
  /// Two threads never deliver at once. Deliveries of one thread may nest.
  case oneThreadAtATime
}

/// A rule, and the signal that broke it.
package struct BrokenRule: Hashable, Sendable, CustomStringConvertible {
  /// The rule.
  package let rule: PublisherRule

  /// The signal as text, such as `value 1` or `finished`.
  package let signal: String

  /// Makes the record of a broken rule.
  package init(_ rule: PublisherRule, signal: String) {
    self.rule = rule
    self.signal = signal
  }

  /// Such as `value 1 breaks valuesWithinDemand`.
  package var description: String { "\(signal) breaks \(rule)" }
}

/// Signals that Combine allows although they look as if they broke a rule.
package struct RuleExceptions: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Values may exceed the demand, such as the last array of `collect(_:)`.
  package static let valuesWithoutDemand = RuleExceptions(rawValue: 1)

  /// A completion that was on its way to a scheduler may arrive after the cancellation, as in
  /// `receive(on:)`.
  package static let endAfterCancel = RuleExceptions(rawValue: 2)

  /// Values that were on their way may arrive after the cancellation, too, before such a
  /// completion.
  package static let valuesAfterCancel = RuleExceptions(rawValue: 8)

  /// Signals may arrive after the cancellation on a thread other than the one that cancelled,
  /// because they were on their way.
  package static let lateSignalsOfOtherThreads = RuleExceptions(rawValue: 4)
}

/// The subscription that the checker gives downstream.
private final class CheckedSubscription<Downstream: Subscriber>: Subscription,
  CustomStringConvertible
{
  private let upstream: any Subscription
  private let checker: RuleChecker<Downstream>

  init(upstream: any Subscription, checker: RuleChecker<Downstream>) {
    self.upstream = upstream
    self.checker = checker
  }

  var description: String { "\(upstream)" }

  func request(_ demand: Subscribers.Demand) {
    // First, because the values may come within the call.
    checker.willRequest(demand)
    upstream.request(demand)
  }

  func cancel() {
    upstream.cancel()
    // Afterwards, because the rule holds once the call has returned.
    checker.didCancel()
  }
}
