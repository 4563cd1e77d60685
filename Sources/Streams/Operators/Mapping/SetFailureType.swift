extension Publisher where Failure == Never {
  /// Changes the failure type of a publisher that can't fail, so that it fits next to publishers
  /// that can.
  ///
  ///     numbers.setFailureType(to: URLError.self)  // still doesn't fail
  ///
  /// Follows Combine's `setFailureType`.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher that passes everything on unchanged.
  @inlinable
  public func setFailureType<E>(
    to failureType: E.Type
  ) -> Publishers.SetFailureType<Self, E> where E: Error {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher that never fails, but has a failure type; see
  /// ``Publisher/setFailureType(to:)-(_)``.
  public struct SetFailureType<Upstream, Failure>: Publisher
  where Upstream: Publisher, Failure: Error, Upstream.Failure == Never {
    public typealias Output = Upstream.Output

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        CompletionStage(name: "SetFailureType", downstream: subscriber) { _ in .finished })
    }

    @inlinable @inline(__always)
    public func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool>
    {
      upstream._deliverAll(while: isWanted, deliver)
    }

    /// Replaces the failure type with another one.
    ///
    /// - Parameter failure: The new failure type.
    @inlinable
    public func setFailureType<E>(
      to failure: E.Type
    ) -> Publishers.SetFailureType<Upstream, E> where E: Error {
      Publishers.SetFailureType(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
