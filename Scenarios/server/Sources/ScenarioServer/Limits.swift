import NIOCore
import TodoAPI

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

  /// The most wrong logins of one client within ``loginWindowSeconds``. Further ones get status
  /// 429.
  public var wrongLoginsPerClient = 30

  /// The most wrong logins to one account within ``loginWindowSeconds``. Further ones get status
  /// 429.
  public var wrongLoginsPerAccount = 10

  /// How long wrong logins are counted, in seconds, from the first one on.
  public var loginWindowSeconds = 60

  /// The most clients and accounts whose wrong logins are counted, together. The oldest give way.
  public var loginWindowCount = 10_000

  /// How long a login or sign-up waits for its refusal, in milliseconds, so that a client that
  /// ignores `Retry-After` can't keep the server busy with refusing.
  public var refusalDelay = 1000

  // MARK: Connections

  /// The most open connections. Further ones wait in the system's queue until one is closed.
  public var connections = 1_000

  /// The most open connections of one client. Further ones are closed at once.
  public var connectionsPerClient = 400

  /// How long a client may take to send its whole request, in seconds. Then: status 408.
  public var requestSeconds = 20

  /// How long a response may take until the system has all of it, in seconds. That includes the
  /// server's work. Then the connection is closed.
  public var responseSeconds = 60

  /// How long the server goes on reading and dropping bytes after a response, in seconds. A client
  /// that is still sending can read the response in this time. Then the connection is closed.
  public var drainSeconds = 2

  /// How many bytes the server reads and drops after a response. Then the connection is closed.
  public var drainBytes = 2 << 20

  // MARK: Requests

  /// The most bytes of a request as it's sent, with the sizes and extensions of chunks. Then the
  /// connection is closed.
  public var requestBytes = 1 << 20

  /// The most bytes of a request's head: the URI, and names and values of header fields. More:
  /// status 431.
  public var headBytes = 16 << 10

  /// The most header fields of a request. More: status 431.
  public var headerFields = 100

  /// The most bytes of a request's URI. More: status 414.
  public var uriBytes = 2 << 10

  /// The most bytes of a request's body. More: status 413.
  public var bodyBytes: Int { TodoAPI.longestBody }

  // MARK: Scenarios

  /// The most bytes of a run's name, in the header field `Scenario-Run`. More: status 400.
  public var runNameBytes = 64

  /// The most runs whose requests are counted. Then the oldest is forgotten.
  public var runs = 10_000

  // MARK: Data

  /// The most users, todos and tokens.
  public var todos = TodoLimits.standard

  /// The most bytes of the database file. More: status 507. A sixteenth is reserved for logins.
  public var databaseBytes = 256 << 20

  /// How long a change waits for another program that holds the database, in seconds. Then: status
  /// 503. Other changes get it at once, as long as one waits.
  public var databaseLockSeconds = 2

  /// The limits that the server has.
  public static let standard = Limits()

  /// Makes the standard limits.
  public init() {}
}
