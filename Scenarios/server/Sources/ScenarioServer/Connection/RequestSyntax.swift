import NIOCore
import NIOHTTP1

/// Refuses heads of requests that NIO's parser accepts, and RFC 9112 doesn't.
final class RequestSyntax: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private var isRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    if case .head(let head) = unwrapInboundIn(data), let refusal = Self.refusal(of: head) {
      isRefused = true
      return context.fireErrorCaught(refusal)
    }
    context.fireChannelRead(data)
  }

  private static func refusal(of head: HTTPRequestHead) -> RefusedRequest? {
    // Section 3.2. Before HTTP/1.1, requests had no such field.
    let isOld = head.version.major == 0 || head.version == .http1_0
    let hosts = head.headers["Host"]
    let mayLackHost = isOld && hosts.isEmpty
    guard mayLackHost || hosts.count == 1 && isHost(hosts[0]) else { return .host }
    // Sections 6.1, 6.3 and 7.1: `chunked` comes last, and once.
    let codings = head.headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
    guard !codings.isEmpty else { return nil }
    guard !isOld, codings.last == "chunked", codings.count(where: { $0 == "chunked" }) == 1 else {
      return .invalid
    }
    return codings.count == 1 ? nil : .coding
  }

  /// Whether a text is a name or an address, with or without a port.
  private static func isHost(_ text: String) -> Bool {
    text.wholeMatch(of: /(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(:[0-9]{0,5})?/) != nil
  }
}
