import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import TodoAPI

/// Lets one request of a connection through, once it's complete and within the limits.
///
/// Anything else gets a refusal here, and then the connection is closed. So the rest of the server
/// only sees complete requests of bounded size, and a connection never holds more than one.
///
/// There's one request per connection because of URLSession on Linux (Swift 6.3). There, it matters
/// whether a broken connection has carried a request before. If it has, a URLSession leaves a POST
/// without a response until it times out, and silently sends a GET again, which a path that counts
/// its requests would notice. If a connection carries one request only, neither happens, and a
/// reset is always reported as `.networkConnectionLost`.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum State {
    /// The client sends its request.
    case receiving(HTTPRequest?, body: ByteBuffer)
    /// The request is complete, and the server responds.
    case responding
    /// The response of this gate is the last thing to be sent.
    case refused
  }

  private let limits: Limits
  private var state = State.receiving(nil, body: ByteBuffer())
  private var deadline: Scheduled<Void>?

  init(limits: Limits) { self.limits = limits }

  // MARK: Time

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { waitForRequest(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    waitForRequest(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  private func waitForRequest(_ context: ChannelHandlerContext) {
    schedule(after: limits.requestSeconds, context) { gate, context in
      gate.refuse(408, "the request took more than \(gate.limits.requestSeconds) s", context)
    }
  }

  private func schedule(
    after seconds: Int, _ context: ChannelHandlerContext,
    _ action: @escaping (RequestGate, ChannelHandlerContext) -> Void
  ) {
    deadline?.cancel()
    deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(seconds))) {
      action(self, context)
    }
  }

  // MARK: The request

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .receiving(let request, var body) = state else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): receive(head, context)
    case .body(let bytes):
      guard body.readableBytes + bytes.readableBytes <= limits.bodyBytes else {
        return refuseBody(context)
      }
      // Copied, because the bytes are a slice of a larger buffer.
      state = .responding
      body.writeImmutableBuffer(bytes)
      state = .receiving(request, body: body)
    case .end(let trailers):
      guard let request else { return }
      state = .responding
      schedule(after: limits.responseSeconds, context) { _, context in
        context.close(promise: nil)
      }
      context.fireChannelRead(wrapInboundOut(.head(request)))
      if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
      context.fireChannelRead(wrapInboundOut(.end(trailers)))
    }
  }

  private func receive(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
    var head = head
    guard (head.path ?? "").utf8.count <= limits.uriBytes else {
      return refuse(414, "the URI is longer than \(limits.uriBytes) bytes", context)
    }
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    state = .receiving(head, body: ByteBuffer())
    guard length ?? 0 <= limits.bodyBytes else { return refuseBody(context) }
    if head.headerFields[.expect]?.lowercased() == "100-continue" {
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    // The server closes the connection after its response.
    head.headerFields[.connection] = "close"
    state = .receiving(head, body: ByteBuffer())
  }

  func read(context: ChannelHandlerContext) {
    // A client that sends more than its request has to wait until the connection is closed.
    if case .receiving = state { context.read() }
  }

  // MARK: Refusals

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard case .receiving = state else { return context.fireErrorCaught(error) }
    switch error {
    case HTTPParserError.headerOverflow:
      refuse(
        431,
        "the head has more than \(limits.headBytes >> 10) KiB or \(limits.headerFields) fields",
        context)
    case HTTPParserError.invalidEOFState:
      refuse(400, "the request isn't complete", context)
    case let error as RefusedRequest: refuse(error, context)
    default: refuse(RefusedRequest.invalid, context)
    }
  }

  private func refuseBody(_ context: ChannelHandlerContext) {
    refuse(RefusedRequest.body(limits), context)
  }

  private func refuse(_ refusal: RefusedRequest, _ context: ChannelHandlerContext) {
    refuse(refusal.status, refusal.reason, context)
  }

  private func refuse(_ status: Int, _ reason: String, _ context: ChannelHandlerContext) {
    guard case .receiving(let request, _) = state else { return }
    state = .refused
    let reply = TodoReply.refusal(status, reason)
    let head = HTTPResponse(
      status: .init(code: status),
      headerFields: [
        .contentType: TodoReply.contentType, .contentLength: "\(reply.body.count)",
        .connection: "close",
      ])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request?.method != .head {
      context.write(wrapOutboundOut(.body(ByteBuffer(bytes: reply.body))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    // A client that doesn't read its refusal isn't waited for.
    schedule(after: limits.responseSeconds, context) { _, context in context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .refused = state {
      promise?.succeed()
    } else {
      context.write(data, promise: promise)
    }
  }
}
