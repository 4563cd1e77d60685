/// A rule of virtual time that was broken: the program would hang, or lie about time.
///
/// A scheduler hands it to its `onFailure` and refuses the call that broke the rule.
public struct GuardFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rules that schedulers guard.
  public enum Rule: Hashable, Sendable {
    /// Too many actions ran without time moving.
    case loopAtOneInstant
    /// Too many actions ran in one call.
    case endlessRun
    /// A target lies before the present moment.
    case goingBack
    /// A repeat has an interval of zero or less.
    case repeatWithoutTime
    /// An action moved time.
    case runInsideAction
    /// Two threads moved time at once.
    case secondThread
    /// Foreground work was left at the end of a scope.
    case unfinishedWork
    /// A scheduler was used in the scope of another.
    case differentSchedulers
  }

  /// The rule that was broken.
  public let rule: Rule

  /// What was wrong, and as much as is known of where it comes from.
  public let message: String

  /// The message.
  public var description: String { message }

  /// Ends the program with the message: what a scheduler does that was told nothing else.
  public static let trap: @Sendable (GuardFailure) -> Void = { failure in
    fatalError(failure.message)
  }
}
