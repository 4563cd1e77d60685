import NIOCore
import Synchronization

/// Counts the open connections of each client, for all threads that serve connections.
final class ConnectionCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[ClientAddress: Int]>([:])

  /// - Parameter limit: The most connections of one client.
  init(limit: Int) { self.limit = limit }

  /// Returns whether a client may have one connection more. If so, ``remove(_:)`` has to follow.
  func add(_ client: ClientAddress) -> Bool {
    counts.withLock { counts in
      guard counts[client, default: 0] < limit else { return false }
      counts[client, default: 0] += 1
      return true
    }
  }

  /// Takes note that a connection of a client is closed. Nothing is kept of a client without any.
  func remove(_ client: ClientAddress) {
    counts.withLock { counts in
      let rest = counts[client, default: 0] - 1
      counts[client] = rest > 0 ? rest : nil
    }
  }
}

/// Closes a connection at once if its client has too many.
final class ConnectionQuota: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let counts: ConnectionCounts
  private var counted: ClientAddress?

  init(counts: ConnectionCounts) { self.counts = counts }

  func channelActive(context: ChannelHandlerContext) {
    let client = ClientAddress(context.remoteAddress)
    guard counts.add(client) else { return context.close(promise: nil) }
    counted = client
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let counted { counts.remove(counted) }
    counted = nil
    context.fireChannelInactive()
  }
}
