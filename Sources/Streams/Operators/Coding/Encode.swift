extension Publisher where Output: Encodable {
  /// Encodes each value with an encoder.
  ///
  ///     [User(name: "Ada")].publisher.encode(encoder: JSONEncoder())  // {"name":"Ada"}
  ///
  /// If encoding throws, this publisher cancels upstream, then fails with that error and publishes
  /// nothing more. Upstream's own failure passes through unchanged. Follows Combine's `encode`.
  ///
  /// - Parameter encoder: Encodes a value. Called once for each value, on the thread that delivers
  ///   the value.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func encode<Coder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
  where Coder: TopLevelEncoder {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}

extension Publishers {
  /// A publisher that encodes each value; see ``Publisher/encode(encoder:)-(_)``.
  public struct Encode<Upstream, Coder>: Publisher
  where Upstream: Publisher, Coder: TopLevelEncoder, Upstream.Output: Encodable {
    public typealias Failure = any Error
    public typealias Output = Coder.Output

    public let upstream: Upstream

    @usableFromInline let encoder: Coder

    @inlinable
    public init(upstream: Upstream, encoder: Coder) {
      (self.upstream, self.encoder) = (upstream, encoder)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage(DetachingRelay("Encode", trapsOnNoDemand: false), subscriber) { [encoder] in
          try encoder.encode($0)
        })
    }
  }
}

extension Publishers.Encode: Sendable where Upstream: Sendable, Coder: Sendable {}
