import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TodoAPI

/// The server of the scenarios: the todo API with a database file, and the scripted paths.
public struct ScenarioServer: Sendable {
  /// The reason why the server can't run, in one line.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  let host: String
  let port: Int
  let database: String
  let tokenLifetime: Int
  let limits: Limits

  /// Makes a server. ``run(onReady:)`` starts it.
  ///
  /// - Parameters:
  ///   - host: The address to listen on.
  ///   - port: The port to listen on; 0 for any free port.
  ///   - database: The path of the SQLite file for users, tokens and todos.
  ///   - tokenLifetime: How long a login is valid, in seconds.
  ///   - limits: How much clients may request.
  public init(
    host: String, port: Int, database: String, tokenLifetime: Int, limits: Limits = .standard
  ) {
    self.host = host
    self.port = port
    self.database = database
    self.tokenLifetime = tokenLifetime
    self.limits = limits
  }

  /// Serves until the process receives SIGTERM or SIGINT.
  ///
  /// - Parameter onReady: Called once the server accepts connections, with a line that says where.
  /// - Throws: ``Failure``
  public func run(onReady: @escaping @Sendable (_ line: String) -> Void) async throws {
    let file = URL(fileURLWithPath: database).path
    let now = { @Sendable in Int64(Date().timeIntervalSince1970 * 1000) }
    let hasStarted = StartFlag()
    let store = try SQLiteTodoStore(
      path: file, mostBytes: limits.databaseBytes, lockSeconds: limits.databaseLockSeconds,
      now: now)
    // HTTP requires a challenge with each 401. It's `Bearer` on every path, because with `Basic` a
    // URLSession on Linux never calls a task's completion handler.
    let api = TodoAPI(
      store: store, passwords: DerivedPasswords(), tokens: RandomTokens(), now: now,
      tokenLifetime: tokenLifetime, limits: limits.todos, challenge: "Bearer")
    let database = DatabaseThreads()
    let passwords = PasswordThreads(limits: limits)
    let service = TodoService(
      api: api, limits: limits, database: database, passwords: passwords
    ) {
      Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000)
    }
    var logger = Logger(label: "scenario-server")
    // Problems are thrown. Nothing else is logged, so no secret gets into a log.
    logger.logLevel = .critical
    let application = Application(
      responder: Responder(script: Script(scriptedPaths, limits: limits), service: service),
      server: HTTPServerBuilder { [limits] in BoundedHTTPChannel(limits: limits, responder: $0) },
      configuration: .init(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(
          limits.connectionsThatFit(), logger: logger)),
      onServerRunning: { [host, port] channel in
        hasStarted.isSet.store(true, ordering: .relaxed)
        let authority = host.contains(":") ? "[\(host)]" : host
        let port = channel.localAddress?.port ?? port
        onReady("listening on http://\(authority):\(port) (database: \(file))")
      },
      logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // Don't wait longer for clients that never finish their request.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    do {
      try await ServiceGroup(configuration: configuration).run()
      await passwords.close()
      await database.close()
      store.close()
    } catch {
      await passwords.close()
      await database.close()
      if hasStarted.isSet.load(ordering: .relaxed) {
        store.close()
        throw Failure(description: "stopped serving: \(reason(for: error))")
      }
      store.undoStart()
      throw Failure(description: "can't listen on \(host), port \(port): \(reason(for: error))")
    }
  }
}

/// Whether the server has started to accept connections.
private final class StartFlag: Sendable {
  let isSet = Atomic<Bool>(false)
}

/// The reason for a failed system call, in the system's words.
private func reason(for error: any Error) -> String {
  switch error {
  case let error as IOError: String(cString: strerror(error.errnoCode))
  case is SocketAddressError.UnknownHost: "there's no such host"
  default: "\(error)"
  }
}
