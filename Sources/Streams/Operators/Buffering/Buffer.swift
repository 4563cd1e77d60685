extension Publisher {
  /// Keeps values in a queue until downstream requests them.
  ///
  /// ```swift
  /// let taps = PassthroughSubject<Int, Never>()
  /// let latest = taps.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
  /// // 1, 2 and 3 arrive before the first request. A request for two values delivers 2 and 3.
  /// ```
  ///
  /// A value that downstream has already requested passes at once. Any other value waits in the
  /// queue, and `whenFull` says what to do if it's full. Follows Combine's
  /// `buffer(size:prefetch:whenFull:)`.
  ///
  /// - Demand: upstream gets its first request before downstream gets its subscription: for `size`
  ///   values, or for all of them (see ``Publishers/PrefetchStrategy``). With `keepFull`, each
  ///   delivered value makes a request for one more.
  /// - Completion: a finish waits until the queue is empty and downstream requests one more value.
  ///   A failure of upstream comes after the requested values, and drops the others. The failure of
  ///   ``Publishers/BufferingStrategy/customError(_:)`` follows the same rule, but first waits
  ///   for the next request if nothing is requested.
  /// - Threads: upstream can send on any thread, and you can request and cancel on any thread. One
  ///   thread at a time delivers, without recursion and in order. Other threads leave their values
  ///   and requests to it. A value sent from within a delivery comes after the queue.
  /// - Cancellation: cancels upstream and releases the queue, even in the middle of a delivery.
  ///
  /// - Parameters:
  ///   - size: How many values the queue holds. With zero, each value finds the queue full, even a
  ///     requested one. Traps if it's negative.
  ///   - prefetch: How many values to request from upstream.
  ///   - whenFull: The action for a value that finds the queue full.
  /// - Returns: A publisher of the values that weren't dropped.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// How many values a buffer requests from upstream.
  public enum PrefetchStrategy {
    /// Requests as many values as the queue holds, and one more for each value delivered. The queue
    /// can only overflow if upstream sends more than that.
    case keepFull

    /// Requests all values at once, whatever downstream requests.
    case byRequest
  }

  /// The action of a buffer for a value that finds the queue full.
  public enum BufferingStrategy<Failure> where Failure: Error {
    /// Drops the value.
    case dropNewest

    /// Drops the oldest value of the queue, and appends the new one.
    case dropOldest

    /// Drops the value, cancels upstream, and fails with the error that the closure returns. The
    /// failure waits until downstream has requested more than it got, and values in the queue that
    /// are requested come first.
    case customError(() -> Failure)
  }

  /// A publisher that keeps values in a queue; see ``Publisher/buffer(size:prefetch:whenFull:)``.
  public struct Buffer<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let size: Int
    public let prefetch: Publishers.PrefetchStrategy
    public let whenFull: Publishers.BufferingStrategy<Failure>

    @inlinable
    public init(
      upstream: Upstream, size: Int, prefetch: Publishers.PrefetchStrategy,
      whenFull: Publishers.BufferingStrategy<Failure>
    ) {
      precondition(size >= 0, "buffer: the size must be at least 0, not \(size)")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        BufferedDelivery(
          size: size, prefetch: prefetch, whenFull: whenFull, downstream: subscriber))
    }
  }
}

extension Publishers.PrefetchStrategy: Equatable {}
extension Publishers.PrefetchStrategy: Hashable {}
extension Publishers.PrefetchStrategy: Sendable {}
