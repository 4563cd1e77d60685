import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Makes the server close each connection after one response, as if the client had asked for it.
///
/// If a connection breaks that has carried a request before, a URLSession on Linux (Swift 6.3)
/// leaves a POST without a response until it times out, and silently sends a GET again. A path that
/// counts its requests would notice. With one request on each connection, neither happens.
final class OneRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    head.headerFields[.connection] = "close"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
