import Streams
import Testing
import VirtualTime

extension Publisher {
  /// Checks that both sides of this place follow the contract between publishers and subscribers.
  ///
  /// ```swift
  /// MyPublisher().checkingContract(as: "mine", on: clock).sink { print($0) }
  /// // An issue: value without demand in "mine" at 300ms: value 3, but only 2 were requested,
  /// // checked at AppTests/MyPublisherTests.swift:12
  /// ```
  ///
  /// Each subscriber is checked for itself. It gets one subscription first, then at most as many
  /// values as it has requested, and then at most one completion. It gets one signal at a time, and
  /// nothing after a cancellation. It doesn't request zero values. ``ContractViolation/Rule`` has
  /// the details.
  ///
  /// The check changes nothing: it passes on every signal, even one that breaks a rule. Requests
  /// and cancellations after the end or a cancellation are allowed.
  ///
  /// - Parameters:
  ///   - name: The name of this place in reports.
  ///   - clock: The clock for the times in reports.
  ///   - report: Called with each violation, before the signal is passed on, on the thread that
  ///     breaks the rule. No lock is held. If `nil`, each violation is reported as an issue.
  ///   - fileID: The file that issues are reported at.
  ///   - filePath: The path of that file.
  ///   - line: The line that issues are reported at.
  ///   - column: The column that issues are reported at.
  /// - Returns: A publisher that checks, and changes nothing else.
  public func checkingContract(
    as name: String? = nil, on clock: VirtualTimeScheduler? = nil,
    reportingTo report: (@Sendable (ContractViolation) -> Void)? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Publishers.CheckingContract<Self> {
    Publishers.CheckingContract(
      upstream: self, name: name, clock: clock,
      report: report ?? { reportIssue($0.description, at: $0.sourceLocation) },
      sourceLocation: SourceLocation(
        fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension Publishers {
  /// A publisher that checks both of its sides; see
  /// ``Streams/Publisher/checkingContract(as:on:reportingTo:fileID:filePath:line:column:)``.
  public struct CheckingContract<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is checked.
    public let upstream: Upstream

    let name: String?
    let clock: VirtualTimeScheduler?
    let report: @Sendable (ContractViolation) -> Void
    let sourceLocation: SourceLocation

    /// Attaches the subscriber to upstream, and checks what passes between them.
    public func receive<S>(subscriber: S)
    where S: Subscriber, Failure == S.Failure, Output == S.Input {
      upstream.subscribe(
        CheckingConduit(subscriber) { [name, clock, report, sourceLocation] rule, details in
          report(
            ContractViolation(
              rule: rule, details: details, name: name, time: clock?.now,
              sourceLocation: sourceLocation))
        })
    }
  }
}

/// Passes signals from upstream to one subscriber, and checks them.
///
/// All it knows is behind a lock, which isn't held while anything is called.
private final class CheckingConduit<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  typealias Report = (ContractViolation.Rule, String) -> Void

  private struct State {
    var hasSubscription = false
    var requested = Subscribers.Demand.none
    /// How many requested values have come.
    var valueCount = 0
    var hasCompletion = false
    /// The thread on which `cancel()` has returned.
    var canceller: UInt?
    /// The threads that deliver, once for each nested delivery.
    var inside: [UInt] = []
  }

  private let downstream: Downstream
  private let report: Report
  private let state = Locked(State())

  init(_ downstream: Downstream, report: @escaping Report) {
    self.downstream = downstream
    self.report = report
  }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      defer { state.hasSubscription = true }
      return !state.hasSubscription
    }
    if !isFirst { report(.secondSubscription, shortText(of: subscription)) }
    downstream.receive(subscription: CheckedSubscription(subscription, conduit: self))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let signal = "value \(shortText(of: input))"
    let violation = enter(with: signal) { state -> Violation? in
      if state.hasCompletion { return (.valueAfterCompletion, signal) }
      guard state.requested > state.valueCount else {
        return (.valueWithoutDemand, "\(signal), but \(state.requested.text) requested")
      }
      state.valueCount += 1
      return nil
    }
    violation.map(report)
    defer { leave() }
    let demand = downstream.receive(input)
    state.withLock { $0.requested += demand }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let signal =
      switch completion {
      case .finished: "finished"
      case .failure(let error): "failure \(shortText(of: error))"
      }
    let violation = enter(with: signal) { state -> Violation? in
      defer { state.hasCompletion = true }
      return state.hasCompletion ? (.secondCompletion, signal) : nil
    }
    violation.map(report)
    defer { leave() }
    downstream.receive(completion: completion)
  }

  func willRequest(_ demand: Subscribers.Demand) {
    if demand == .none { report(.requestOfNothing, "request(.none)") }
    state.withLock { $0.requested += demand }
  }

  func didCancel() {
    state.withLock { state in
      if !state.hasCompletion { state.canceller = state.canceller ?? ThreadID.current }
    }
  }

  private typealias Violation = (ContractViolation.Rule, String)

  /// Begins a delivery.
  ///
  /// - Returns: The rule that it breaks, if any. Concurrent deliveries are reported in addition.
  private func enter(
    with signal: String, _ check: (inout State) -> Violation?
  ) -> Violation? {
    let thread = ThreadID.current
    let (isConcurrent, violation) = state.withLock { state -> (Bool, Violation?) in
      let isConcurrent = state.inside.contains { $0 != thread }
      state.inside.append(thread)
      let violation = check(&state)
      if !state.hasSubscription { return (isConcurrent, (.signalBeforeSubscription, signal)) }
      if state.canceller == thread { return (isConcurrent, (.signalAfterCancellation, signal)) }
      return (isConcurrent, violation)
    }
    if isConcurrent {
      report(.concurrentSignals, "\(signal) came while another thread delivered")
    }
    return violation
  }

  private func leave() {
    let thread = ThreadID.current
    state.withLock { state in
      if let index = state.inside.lastIndex(of: thread) { state.inside.remove(at: index) }
    }
  }
}

/// The subscription that downstream gets. Only downstream keeps it, as it would keep upstream's.
private final class CheckedSubscription<Downstream: Subscriber>: Subscription,
  CustomStringConvertible
{
  private let upstream: any Subscription
  private let conduit: CheckingConduit<Downstream>

  init(_ upstream: any Subscription, conduit: CheckingConduit<Downstream>) {
    self.upstream = upstream
    self.conduit = conduit
  }

  var description: String { "\(upstream)" }

  func request(_ demand: Subscribers.Demand) {
    // First, because the values may come within the call.
    conduit.willRequest(demand)
    upstream.request(demand)
  }

  func cancel() {
    upstream.cancel()
    // Afterwards, because the rule holds once the call has returned.
    conduit.didCancel()
  }
}

extension Subscribers.Demand {
  /// The demand as the start of a clause: `only 2 were`.
  fileprivate var text: String {
    switch max {
    case 0: "none was"
    case 1: "only 1 was"
    case let count?: "only \(count) were"
    case nil: "any number was"
    }
  }
}
