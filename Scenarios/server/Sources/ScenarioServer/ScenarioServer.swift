import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The server of the scenarios: the API over a database in a file, and the paths of a script.
public struct ScenarioServer: Sendable {
  let host: String
  let port: Int

  public init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Serves until the process is told to end, by SIGTERM or SIGINT.
  ///
  /// - Parameter onReady: Called once connections are accepted, with the port.
  public func run(onReady: @escaping @Sendable (_ port: Int) -> Void) async throws {
    var logger = Logger(label: "scenario-server")
    // What goes wrong is thrown; the rest is nobody's business.
    logger.logLevel = .critical
    let application = Application(
      responder: Responder(script: Script(scriptedPaths)),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [OneRequestHandler()], idleTimeout: .seconds(60))),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in onReady(channel.localAddress?.port ?? port) },
      logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // For clients that began a request and do not end it.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: configuration).run()
  }
}
