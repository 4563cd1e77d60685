import HummingbirdCore
import Logging
import NIOCore

/// Hummingbird's HTTP connections, with limits on what a client can make the server hold.
struct BoundedHTTPChannel: ServerChildChannel {
  private let limits: Limits
  private let http: HTTP1Channel

  init(limits: Limits, responder: @escaping HTTPChannelHandler.Responder) {
    self.limits = limits
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
      // Before everything else, because it counts bytes.
      try channel.pipeline.syncOperations.addHandler(LingeringClose(limits: limits))
    } catch { return channel.eventLoop.makeFailedFuture(error) }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}
