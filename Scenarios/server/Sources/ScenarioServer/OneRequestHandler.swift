import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Ends each connection after its first answer, by reading every request as one that asks for that.
///
/// On Linux (Swift 6.3), what a URLSession makes of a connection that breaks depends on whether it
/// has carried a request before: a POST on such a connection gets no answer at all until it times
/// out, and a GET is silently sent again, which a path that counts its requests would see. A
/// connection that carries one request has neither problem, and a break always is
/// `.networkConnectionLost`.
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
