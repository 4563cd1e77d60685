import NIOCore

/// Closes a connection in a way that lets the client read the response, and in bounded time.
///
/// If a connection is closed while bytes of the client are unread, the system resets it, and the
/// client may lose a response that it hasn't read. So when the server has sent its response, this
/// tells the client that nothing more follows (FIN), and goes on to read and drop bytes. The
/// connection is closed when the client closes it, or when it has sent too much or taken too long.
final class LingeringClose: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private enum State {
    case open
    /// The response is complete, and on its way to the system.
    case closing
    /// The system has the response.
    case draining
  }

  private let limits: Limits
  private var state = State.open
  private var isInputClosed = false
  private var received = 0
  private var drained = 0
  private var deadline: Scheduled<Void>?

  init(limits: Limits) { self.limits = limits }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch (mode, state) {
    case (.output, .open):
      state = .closing
      // Completes when all bytes of the response are written.
      let written = context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenComplete { result in
        if case .success = result { self.drain(context) } else { context.close(promise: nil) }
      }
      written.futureResult.cascade(to: promise)
      context.close(mode: .output, promise: written)
    case (.output, _): promise?.succeed()
    case (.all, .draining): context.channel.closeFuture.cascade(to: promise)
    default: context.close(mode: mode, promise: promise)
    }
  }

  private func drain(_ context: ChannelHandlerContext) {
    guard !isInputClosed else { return context.close(promise: nil) }
    state = .draining
    deadline = context.eventLoop.assumeIsolated().scheduleTask(
      in: .seconds(Int64(limits.drainSeconds))
    ) { context.close(promise: nil) }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .open else {
      received += unwrapInboundIn(data).readableBytes
      guard received <= limits.requestBytes else { return context.close(promise: nil) }
      return context.fireChannelRead(data)
    }
    drained += unwrapInboundIn(data).readableBytes
    if drained > limits.drainBytes { context.close(promise: nil) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if state == .draining { context.read() }
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      isInputClosed = true
      if state == .draining { return context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }
}
