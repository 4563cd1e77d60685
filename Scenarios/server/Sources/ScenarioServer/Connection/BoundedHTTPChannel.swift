import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

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
      // They come before HTTP: the first closes before any byte is read, the others look at bytes.
      try channel.pipeline.syncOperations.addHandlers([
        ConnectionQuota(counts: counts), LingeringClose(limits: limits),
        ChunkSizeGate(limits: limits),
      ])
    } catch { return channel.eventLoop.makeFailedFuture(error) }
    return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(RequestSyntax(), position: .after(parser))
      return value
    }
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
