import NIOCore

/// The address that a client's requests come from, as far as one client can't change it.
///
/// With IPv6, a client has a whole network of addresses, so only the network counts.
enum ClientAddress: Hashable, Sendable {
  case v4(UInt32)
  /// The first 64 bits of an address.
  case v6(network: UInt64)
  /// An address of another kind, such as the path of a socket. All of these are one client.
  case other

  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address): self = .v4(UInt32(bigEndian: address.address.sin_addr.s_addr))
    case .v6(let address):
      let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
      // A server that listens on IPv6 sees the clients that use IPv4 as ::ffff:1.2.3.4.
      let isV4 = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      self =
        isV4
        ? .v4(bytes[12...].reduce(0) { $0 << 8 | UInt32($1) })
        : .v6(network: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) })
    default: self = .other
    }
  }
}
