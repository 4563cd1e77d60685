/// The limits of the server, so that clients can't use up its memory, its threads or its disk.
public struct Limits: Sendable {
  /// The most logins and sign-ups whose passwords wait to be hashed, including those being hashed.
  public var waitingPasswords = 16

  /// The limits that the server uses unless it's told otherwise.
  public static let standard = Limits()

  /// Makes the standard limits.
  public init() {}
}
