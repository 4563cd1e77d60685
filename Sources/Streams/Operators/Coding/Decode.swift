extension Publisher {
  /// Decodes each value, and fails with what the decoder throws.
  ///
  ///     data.publisher.decode(type: User.self, decoder: JSONDecoder())  // User(name: "Ada")
  ///
  /// A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's own
  /// failure is passed on as it is. Source of the rules: Combine's `decode`.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - decoder: Called once for each value, where the value is delivered.
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
  /// A publisher of what a decoder makes of each value; see
  /// ``Publisher/decode(type:decoder:)-(_,_)``.
  public struct Decode<Upstream, Output, Coder>: Publisher
  where
    Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder,
    Upstream.Output == Coder.Input
  {
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    @usableFromInline
    let decoder: Coder

    /// Makes the publisher that ``Publisher/decode(type:decoder:)-(_,_)`` returns.
    @inlinable
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      let decoder = decoder
      upstream.attach(
        TryMapStage<_, Upstream.Failure, _>(name: "Decode", downstream: subscriber) {
          try decoder.decode(Output.self, from: $0)
        })
    }
  }
}
