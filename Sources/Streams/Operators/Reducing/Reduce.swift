extension Publisher {
  /// Publishes what has been accumulated of all values, when upstream finishes.
  ///
  ///     [1, 2, 3].publisher.reduce(10) { $0 + $1 }  // 16
  ///
  /// All values are requested at once, whatever is requested of this publisher; the result waits
  /// for a request. A failure does not wait. Source of the rules: Combine's `reduce`.
  ///
  /// - Parameters:
  ///   - initialResult: What to start with; published if there are no values.
  ///   - nextPartialResult: Makes the next result of the one before and a value. Called once for
  ///     each value, where the value is delivered.
  /// - Returns: A publisher of one result.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(
      upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of what has been accumulated of all values; see ``Publisher/reduce(_:_:)-(_,_)``.
  public struct Reduce<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What each subscription starts with.
    public let initial: Output

    /// Makes the next result of the one before and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Makes the publisher that ``Publisher/reduce(_:_:)-(_,_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        ReductionStage(
          name: "Reduce", downstream: subscriber,
          method: Fold<_, _, Never>(initial, nextPartialResult)))
    }
  }
}

/// Accumulates by a closure: `reduce`, `tryReduce` and `count`.
@usableFromInline
struct Fold<Input, Output, Thrown: Error>: Reduction {
  @usableFromInline
  let initial: Output

  @usableFromInline
  let nextPartialResult: (Output, Input) throws(Thrown) -> Output

  @inlinable
  init(
    _ initial: Output, _ nextPartialResult: @escaping (Output, Input) throws(Thrown) -> Output
  ) {
    self.initial = initial
    self.nextPartialResult = nextPartialResult
  }

  @inlinable
  @inline(__always)
  func take(_ input: Input, into accumulated: Memory<Output>) throws(Thrown) -> Bool {
    accumulated.value = try nextPartialResult(accumulated.value, input)
    return false
  }

  @inlinable
  func result(of accumulated: Output) -> Output? { accumulated }
}
