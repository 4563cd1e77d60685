extension Publisher {
  /// Decodes each value with a decoder.
  ///
  ///     data.publisher.decode(type: User.self, decoder: JSONDecoder())  // User(name: "Ada")
  ///
  /// If decoding throws, this publisher cancels upstream, then fails with that error and publishes
  /// nothing more. Upstream's own failure passes through unchanged. Follows Combine's `decode`.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: Decodes a value. Called once for each value, on the thread that delivers the
  ///     value.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func decode<Item, Coder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder>
  where Item: Decodable, Coder: TopLevelDecoder, Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// A publisher that decodes each value; see ``Publisher/decode(type:decoder:)-(_,_)``.
  public struct Decode<Upstream, Output, Coder>: Publisher
  where
    Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder,
    Upstream.Output == Coder.Input
  {
    public typealias Failure = any Error

    public let upstream: Upstream

    @usableFromInline let decoder: Coder

    @inlinable
    public init(upstream: Upstream, decoder: Coder) {
      (self.upstream, self.decoder) = (upstream, decoder)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage(DetachingRelay("Decode", trapsOnNoDemand: false), subscriber) { [decoder] in
          try decoder.decode(Output.self, from: $0)
        })
    }
  }
}

extension Publishers.Decode: Sendable where Upstream: Sendable, Coder: Sendable {}
