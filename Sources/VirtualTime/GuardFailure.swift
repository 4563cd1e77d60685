/// A report that a rule of virtual time was broken.
///
/// Without the rule, the program would hang or show wrong times. A scheduler passes the report to
/// its `onFailure` and refuses the call that broke the rule.
public struct GuardFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rules that schedulers guard.
  public enum Rule: Hashable, Sendable {
    /// Too many actions, or too many rounds of settling, ran without time moving.
    case loopAtOneInstant
    /// Too many actions ran in one call.
    case endlessRun
    /// A call's target is earlier than now.
    case goingBack
    /// A repeat has an interval of zero or less.
    case repeatWithoutTime
    /// A span was made of NaN.
    case notATime
    /// An action, the condition of `run(while:)`, or a callback during settling tried to move time.
    case runInsideAction
    /// Two threads tried to move time at once.
    case secondThread
    /// Foreground work was left at the end of a scope.
    case unfinishedWork
    /// A scheduler was used in the scope of another.
    case differentSchedulers
  }

  /// The rule that was broken.
  public let rule: Rule

  /// The description of the problem, with the work that caused it as far as that's known.
  public let message: String

  /// The message.
  public var description: String { message }

  /// Ends the program with the message: the default of `onFailure`.
  public static let trap: @Sendable (GuardFailure) -> Void = { failure in
    fatalError(failure.message)
  }
}
