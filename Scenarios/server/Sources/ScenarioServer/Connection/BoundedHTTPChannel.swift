import HummingbirdCore
import Logging
import NIOCore

/// Hummingbird's HTTP connections, with limits on what a client can make the server hold.
struct BoundedHTTPChannel: ServerChildChannel {
  private let limits: Limits
  private let counts: ConnectionCounts
  private let http: HTTP1Channel

  init(limits: Limits, responder: @escaping HTTPChannelHandler.Responder) {
    self.limits = limits
    counts = ConnectionCounts(limit: limits.connectionsPerClient)
    http = HTTP1Channel(
      responder: responder,
      configuration: .init(
        additionalChannelHandlers: [RequestGate(limits: limits)],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
          maxHeaderFieldCount: limits.headerFields)))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    do {
      // Both come before HTTP: one closes before any byte is read, the other counts raw bytes.
      try channel.pipeline.syncOperations.addHandler(ConnectionQuota(counts: counts))
      try channel.pipeline.syncOperations.addHandler(LingeringClose(limits: limits))
    } catch { return channel.eventLoop.makeFailedFuture(error) }
    return http.setup(channel: channel, logger: logger)
  }

  /// Handles the request of a connection, and stops when the client closes the connection.
  ///
  /// A response may take many seconds. If it went on without its client, a client could keep more
  /// requests in memory than it may have connections.
  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await withTaskGroup { group in
      group.addTask { await http.handle(value: value, logger: logger) }
      group.addTask { try? await value.channel.closeFuture.get() }
      await group.next()
      group.cancelAll()
    }
  }
}
