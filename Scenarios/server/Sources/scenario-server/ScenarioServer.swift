import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TodoAPI

/// The server of the scenarios: the todo API with a database file, and the scripted paths.
struct ScenarioServer: Sendable {
  /// The reason why the server can't run, in one line.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The address to listen on.
  let host: String
  /// The port to listen on; 0 for any free port.
  let port: Int
  /// The path of the SQLite file for users, tokens and todos.
  let database: String
  /// How long a login is valid, in seconds.
  let tokenLifetime: Int

  /// Serves until the process receives SIGTERM or SIGINT, and then finishes the open requests, for
  /// five seconds at most.
  ///
  /// - Parameter onReady: Called once the server accepts connections, with a line that says where.
  /// - Throws: ``Failure``
  func run(onReady: @escaping @Sendable (_ line: String) -> Void) async throws {
    let file = URL(fileURLWithPath: database).path
    let now = { @Sendable in Int64(Date().timeIntervalSince1970 * 1000) }
    let store = try SQLiteTodoStore(path: file, now: now)
    defer { store.close() }
    // HTTP requires a challenge with each 401. It's `Bearer` on every path, because with `Basic` a
    // URLSession on Linux never calls a task's completion handler.
    let api = TodoAPI(
      store: store, passwords: DerivedPasswords(), tokens: RandomTokens(), now: now,
      tokenLifetime: tokenLifetime, challenge: "Bearer")
    var logger = Logger(label: "scenario-server")
    // Problems are thrown. Nothing else is logged, so no secret gets into a log.
    logger.logLevel = .critical
    let serves = Mutex(false)
    let application = Application(
      responder: Responder(script: Script(scriptedPaths), service: TodoService(api: api)),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [OneRequest()], idleTimeout: .seconds(10))),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        serves.withLock { $0 = true }
        let authority = host.contains(":") ? "[\(host)]" : host
        onReady(
          "listening on http://\(authority):\(channel.localAddress?.port ?? port) "
            + "(database: \(file))")
      },
      logger: logger)
    var group = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    group.maximumGracefulShutdownDuration = .seconds(5)
    do { try await ServiceGroup(configuration: group).run() } catch {
      let what = serves.withLock(\.self) ? "stopped serving" : "can't listen"
      throw Failure(description: "\(what) on \(host), port \(port): \(reason(for: error))")
    }
  }
}

/// The reason for a failed system call, in the system's words.
private func reason(for error: any Error) -> String {
  switch error {
  case let error as IOError: String(cString: strerror(error.errnoCode))
  case is SocketAddressError.UnknownHost: "there's no such host"
  default: "\(error)"
  }
}
