extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail a kind of error, to fit beside publishers that can.
  ///
  ///     numbers.setFailureType(to: URLError.self)  // still does not fail
  ///
  /// Source of the rule: Combine's `setFailureType`.
  ///
  /// - Parameter failureType: The kind of error.
  /// - Returns: A publisher that passes everything on unchanged.
  @inlinable
  public func setFailureType<E>(
    to failureType: E.Type
  ) -> Publishers.SetFailureType<Self, E> where E: Error {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// A publisher that could fail, by its type, and does not; see
  /// ``Publisher/setFailureType(to:)-(_)``.
  public struct SetFailureType<Upstream, Failure>: Publisher
  where Upstream: Publisher, Failure: Error, Upstream.Failure == Never {
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher that ``Publisher/setFailureType(to:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(SetFailureTypeStage(downstream: subscriber))
    }

    @inlinable
    public var _singleValue: _Hint<Output?> { upstream._singleValue }

    /// Gives the publisher another kind of error instead of this one.
    ///
    /// - Parameter failure: The kind of error.
    @inlinable
    public func setFailureType<E>(
      to failure: E.Type
    ) -> Publishers.SetFailureType<Upstream, E> where E: Error {
      Publishers.SetFailureType(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

@usableFromInline
struct SetFailureTypeStage<Downstream: Subscriber>: TransparentStage {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Never

  @usableFromInline
  let downstream: Downstream

  @inlinable
  init(downstream: Downstream) { self.downstream = downstream }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Never>) {
    downstream.receive(completion: .finished)
  }
}
