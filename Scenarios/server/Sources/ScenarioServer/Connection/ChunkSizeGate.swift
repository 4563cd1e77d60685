import NIOCore

/// Refuses a body in chunks as soon as a chunk announces too many bytes, not when they arrive. They
/// may never arrive.
final class ChunkSizeGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let limits: Limits
  private var sizes: ChunkSizes

  init(limits: Limits) {
    self.limits = limits
    sizes = ChunkSizes(most: limits.bodyBytes)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !sizes.areTooLarge else { return }
    sizes.read(unwrapInboundIn(data).readableBytesView)
    guard !sizes.areTooLarge else {
      return context.fireErrorCaught(RefusedRequest.body(limits))
    }
    context.fireChannelRead(data)
  }
}

/// The sizes of the chunks in a request's bytes. NIO's parser reads them too, and keeps them to
/// itself.
///
/// This only looks for large sizes. Whether the chunks are valid is the parser's business.
struct ChunkSizes {
  private enum Place {
    case head
    case size
    case sizeExtension
    case data
    /// After the last chunk, or in a body without chunks.
    case rest
  }

  /// The most bytes of a body.
  let most: Int
  private var place = Place.head
  private var head: [UInt8] = []
  /// The size so far, or what's missing of the data.
  private var size = 0
  private var total = 0

  /// Whether the sizes so far add up to more than a body may have.
  private(set) var areTooLarge = false

  init(most: Int) { self.most = most }

  mutating func read(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where !areTooLarge {
      if place == .rest { return }
      read(byte)
    }
  }

  private mutating func read(_ byte: UInt8) {
    let newline = UInt8(ascii: "\n")
    switch place {
    case .head:
      head.append(byte)
      if byte == newline, head.suffix(4).elementsEqual("\r\n\r\n".utf8) { endHead() }
    case .size:
      if let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
        size = min(size * 16 + digit, most + 1)
        areTooLarge = total + size > most
      } else if byte == newline {
        endSize()
      } else {
        place = .sizeExtension
      }
    case .sizeExtension:
      if byte == newline { endSize() }
    case .data:
      size -= 1
      if size == 0 { place = .size }
    case .rest: break
    }
  }

  private mutating func endHead() {
    let isChunked = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
      .contains { $0.hasPrefix("transfer-encoding:") && $0.contains("chunked") }
    place = isChunked ? .size : .rest
    head = []
  }

  private mutating func endSize() {
    total += size
    place = size == 0 ? .rest : .data
    // A line break follows the data.
    size += 2
  }
}
