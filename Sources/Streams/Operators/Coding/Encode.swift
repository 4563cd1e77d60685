extension Publisher where Output: Encodable {
  /// Encodes each value, and fails with what the encoder throws.
  ///
  ///     [User(name: "Ada")].publisher.encode(encoder: JSONEncoder())  // {"name":"Ada"}
  ///
  /// A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's own
  /// failure is passed on as it is. Source of the rules: Combine's `encode`.
  ///
  /// - Parameter encoder: Called once for each value, where the value is delivered.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func encode<Coder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
  where Coder: TopLevelEncoder {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}

extension Publishers {
  /// A publisher of what an encoder makes of each value; see ``Publisher/encode(encoder:)-(_)``.
  public struct Encode<Upstream, Coder>: Publisher
  where Upstream: Publisher, Coder: TopLevelEncoder, Upstream.Output: Encodable {
    public typealias Failure = any Error
    public typealias Output = Coder.Output

    /// Where the values come from.
    public let upstream: Upstream

    @usableFromInline
    let encoder: Coder

    /// Makes the publisher that ``Publisher/encode(encoder:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Coder.Output, S.Failure == any Error {
      let encoder = encoder
      upstream.attach(
        TryMapStage<_, Upstream.Failure, _>(name: "Encode", downstream: subscriber) {
          try encoder.encode($0)
        })
    }
  }
}
