/// How much the API stores, so that clients can't use up its memory or its disk.
public struct TodoLimits: Hashable, Sendable {
  /// The most users. After that, each sign-up is refused with status 507.
  public var users = 10_000

  /// The most todos of a user. After that, the user has to delete one first: status 409.
  public var todosOfAUser = 1_000

  /// The most tokens of a user. With each further login, the oldest token becomes unknown.
  public var tokensOfAUser = 100

  /// The limits that an API uses unless it's told otherwise.
  public static let standard = TodoLimits()

  /// Makes the standard limits.
  public init() {}
}
