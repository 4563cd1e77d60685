extension Publisher {
  /// If upstream fails, subscribes to it again.
  ///
  ///     download.retry(2)  // three attempts; the error of the third is delivered
  ///
  /// Downstream sees a single subscription. Demand that's still outstanding is requested from each
  /// new attempt. If an attempt fails while it's still being subscribed to, the next one starts
  /// after that call has returned, so nothing recurses. After a cancellation there are no more
  /// attempts. Values that weren't requested pass as well, and don't count against later requests;
  /// in Combine they stop the program. Otherwise, it follows Combine's `retry`.
  ///
  /// - Parameter retries: How many times to subscribe again. A negative number means without limit.
  /// - Returns: A publisher that tracks the outstanding demand. Demand that downstream returns for
  ///   a value goes upstream as a request.
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream again if that fails; see
  /// ``Publisher/retry(_:)-(_)``.
  public struct Retry<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    /// How many times to subscribe again. `nil` or a negative number means without limit.
    public let retries: Int?

    /// Creates the publisher that ``Publisher/retry(_:)-(_)`` returns.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - retries: How many times to subscribe again. `nil` or a negative number means without
    ///     limit.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      (self.upstream, self.retries) = (upstream, retries)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      RetryStage(
        downstream: subscriber, publisher: self, succession: SuccessionSubscription("Retry"),
        turn: 0
      ).subscribe()
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}
extension Publishers.Retry: Sendable where Upstream: Sendable {}

/// The stage that receives from one attempt. Its turn is the number of attempts that failed before.
@usableFromInline
struct RetryStage<Upstream: Publisher, Downstream: Subscriber>: SuccessionStage
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline let downstream: Downstream
  @usableFromInline let publisher: Publishers.Retry<Upstream>
  @usableFromInline let succession: SuccessionSubscription
  @usableFromInline let turn: Int

  @inlinable
  init(
    downstream: Downstream, publisher: Publishers.Retry<Upstream>,
    succession: SuccessionSubscription, turn: Int
  ) {
    self.downstream = downstream
    self.publisher = publisher
    self.succession = succession
    self.turn = turn
  }

  /// Subscribes to upstream for the attempt whose turn it is.
  @inlinable
  func subscribe() {
    succession.runTurns { turn in
      publisher.upstream.attach(
        RetryStage(
          downstream: downstream, publisher: publisher, succession: succession, turn: turn))
    }
  }

  // Demand goes upstream as a request, because the attempt may have failed during the delivery.
  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.accepts(fromTurn: turn) else { return .none }
    let more = downstream.receive(input)
    if more > 0 { succession.request(more) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .failure = completion, mayRetry {
      if succession.endTurn(turn) { subscribe() }
    } else if succession.finish(turn: turn) {
      downstream.receive(completion: completion)
    }
  }

  @inlinable var mayRetry: Bool {
    guard let retries = publisher.retries, retries >= 0 else { return true }
    return turn < retries
  }
}
