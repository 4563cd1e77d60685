import NIOCore

/// The limits of the server, so that clients can't use up its processor, its memory or its disk.
public struct Limits: Sendable {
  // MARK: Passwords

  /// The number of threads that hash passwords: half of the processors, but at least one.
  public var passwordThreads = max(1, System.coreCount / 2)

  /// The most passwords that wait to be hashed, including those being hashed. A login or sign-up
  /// beyond that gets status 503.
  public var waitingPasswords = 16

  /// The most passwords of one client that wait. A login or sign-up beyond that gets status 429.
  public var waitingPasswordsPerClient = 4

  /// The most wrong logins of one client within ``loginWindow``. Further ones get status 429.
  public var wrongLoginsPerClient = 30

  /// The most wrong logins to one account within ``loginWindow``. Further ones get status 429.
  public var wrongLoginsPerAccount = 10

  /// How long wrong logins are counted, in seconds, from the first one on.
  public var loginWindow = 60

  /// The most clients and accounts whose wrong logins are counted, together. The oldest give way.
  public var loginWindows = 10_000

  /// How long a login or sign-up waits for its refusal, in milliseconds, so that a client that
  /// ignores `Retry-After` can't keep the server busy with refusing.
  public var refusalDelay = 1000

  /// The limits that the server has.
  public static let standard = Limits()

  /// Makes the standard limits.
  public init() {}
}
