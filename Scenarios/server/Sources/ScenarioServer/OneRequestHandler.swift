import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes each connection after its first response, by adding `Connection: close` to each request.
///
/// On Linux (Swift 6.3), it matters whether a broken connection has carried a request before. If it
/// has, a URLSession leaves a POST without a response until it times out, and silently sends a GET
/// again, which a path that counts its requests would notice. If a connection carries one request
/// only, neither happens, and a reset is always reported as `.networkConnectionLost`.
final class OneRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var part = unwrapInboundIn(data)
    if case .head(var head) = part {
      head.headerFields[.connection] = "close"
      part = .head(head)
    }
    context.fireChannelRead(wrapInboundOut(part))
  }
}
