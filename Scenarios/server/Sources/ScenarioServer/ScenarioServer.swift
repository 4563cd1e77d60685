import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TodoAPI

/// The server of the scenarios: the API over a database in a file, and the paths of a script.
public struct ScenarioServer: Sendable {
  /// Why there is no server, in one line for whoever started it.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  let host: String
  let port: Int
  let database: String
  let tokenLifetime: Int

  /// Describes a server.
  ///
  /// - Parameters:
  ///   - host: The address to listen at.
  ///   - port: The port to listen at; with 0, any that is free.
  ///   - database: The path of the file for users, tokens and todos.
  ///   - tokenLifetime: For how many seconds a login is good.
  public init(host: String, port: Int, database: String, tokenLifetime: Int) {
    self.host = host
    self.port = port
    self.database = database
    self.tokenLifetime = tokenLifetime
  }

  /// Serves until the process is told to end, by SIGTERM or SIGINT.
  ///
  /// - Parameter onReady: Called once connections are accepted, with a line that says where.
  /// - Throws: ``Failure``
  public func run(onReady: @escaping @Sendable (_ line: String) -> Void) async throws {
    let file = URL(fileURLWithPath: database).path
    let now = { @Sendable in Int64(Date().timeIntervalSince1970 * 1000) }
    let isNew = !FileManager.default.fileExists(atPath: file)
    let beginning = Beginning()
    let store = try SQLiteTodoStore(path: file, now: now)
    defer { store.close() }
    // HTTP wants a challenge with each 401. `Bearer` it is on every path: with `Basic` a URLSession
    // on Linux never calls a task's completion handler.
    let api = TodoAPI(
      store: store, passwords: DerivedPasswords(), tokens: RandomTokens(), now: now,
      tokenLifetime: tokenLifetime, challenge: "Bearer")
    var logger = Logger(label: "scenario-server")
    // What goes wrong is thrown; the rest is nobody's business.
    logger.logLevel = .critical
    let application = Application(
      responder: Responder(script: Script(scriptedPaths), api: api),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [OneRequestHandler()], idleTimeout: .seconds(60))),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { [host, port] channel in
        beginning.hasCome.store(true, ordering: .relaxed)
        let authority = host.contains(":") ? "[\(host)]" : host
        let port = channel.localAddress?.port ?? port
        onReady("listening on http://\(authority):\(port) (database: \(file))")
      },
      logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // For clients that began a request and do not end it.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch {
      if isNew, !beginning.hasCome.load(ordering: .relaxed) {
        // Nobody has asked for anything: nothing is left behind.
        store.close()
        try? FileManager.default.removeItem(atPath: file)
      }
      throw Failure(description: "cannot listen at \(host), port \(port): \(reason(for: error))")
    }
  }
}

/// Whether connections have been accepted.
private final class Beginning: Sendable {
  let hasCome = Atomic<Bool>(false)
}

/// What a system call that failed says of itself, in the system's words.
private func reason(for error: any Error) -> String {
  switch error {
  case let error as IOError: String(cString: strerror(error.errnoCode))
  case is SocketAddressError.UnknownHost: "there is no such host"
  default: "\(error)"
  }
}
