extension Publisher {
  /// Accumulates the values with a closure, and publishes the result after each value.
  ///
  ///     [1, 2, 3].publisher.scan(10) { $0 + $1 }  // 11, 13, 16
  ///
  /// Follows Combine's `scan`.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start with. It isn't published itself.
  ///   - nextPartialResult: Makes the next result from the previous one and a value. Called once
  ///     for each value, on the thread that delivers the value.
  /// - Returns: A publisher that passes on the subscription, demand and completion unchanged.
  // Disfavoured, like `map`: the type checker stops at the overload in `Publishers.Sequence`.
  @_disfavoredOverload @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that accumulates values and publishes each result; see
  /// ``Publisher/scan(_:_:)-(_,_)``.
  public struct Scan<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let initialResult: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        ScanStage(
          downstream: subscriber, initialResult: initialResult,
          nextPartialResult: nextPartialResult))
    }
  }
}

@usableFromInline struct ScanStage<Input, Downstream: Subscriber>: TransparentStage {
  @usableFromInline var name: String { "Scan" }

  @usableFromInline let downstream: Downstream
  @usableFromInline let result: Memory<Downstream.Input>
  @usableFromInline let nextPartialResult: (Downstream.Input, Input) -> Downstream.Input

  @inlinable
  init(
    downstream: Downstream, initialResult: Downstream.Input,
    nextPartialResult: @escaping (Downstream.Input, Input) -> Downstream.Input
  ) {
    (self.downstream, self.nextPartialResult) = (downstream, nextPartialResult)
    result = Memory(initialResult)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    let next = nextPartialResult(result.value, input)
    result.value = next
    return downstream.receive(next)
  }
}
