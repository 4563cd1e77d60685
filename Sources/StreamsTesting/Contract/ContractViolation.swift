import Testing
import VirtualTime

/// A rule of the contract between publishers and subscribers that was broken.
///
/// `checkingContract()` finds it.
public struct ContractViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rules, named after what breaks them.
  public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// A value or a completion before the subscription.
    case signalBeforeSubscription = "signal before the subscription"
    /// A second subscription for one subscriber.
    case secondSubscription = "second subscription"
    /// A value that wasn't requested.
    case valueWithoutDemand = "value without demand"
    /// A value after the completion.
    case valueAfterCompletion = "value after the completion"
    /// A second completion.
    case secondCompletion = "second completion"
    /// A value or a completion, from the thread that cancelled, after `cancel()` has returned.
    ///
    /// Another thread may already have been on its way, so that isn't a violation.
    case signalAfterCancellation = "signal after the cancellation"
    /// Two threads deliver values or completions at the same time. A delivery inside another one on
    /// the same thread is allowed.
    case concurrentSignals = "concurrent signals"
    /// A subscriber requested no values. (A negative demand traps already when it's made.)
    case requestOfNothing = "request of nothing"
  }

  /// The rule that was broken.
  public let rule: Rule

  /// The details, such as `value 3, but only 2 were requested`.
  public let details: String

  /// The name that you gave to the checked place; `nil` if you gave none.
  public let name: String?

  /// When it happened; `nil` if the check has no clock.
  public let time: VirtualTime?

  /// Where you check.
  public let sourceLocation: SourceLocation

  /// One line with the rule, what happened, the name, the time, and the file and line of the check.
  public var description: String {
    let name = name.map { " in \"\($0)\"" } ?? ""
    let time = time.map { " at \($0)" } ?? ""
    return "\(rule.rawValue)\(name)\(time): \(details), checked at "
      + "\(sourceLocation.fileID):\(sourceLocation.line)"
  }
}
