extension Publisher {
  /// When upstream fails, subscribes to it again.
  ///
  ///     download.retry(2)  // three attempts; the error of the third is delivered
  ///
  /// Downstream sees one subscription; demand that is not yet met is requested of each new attempt.
  /// A failure while an attempt is still being subscribed is followed by the next attempt when that
  /// call has returned: nothing recurses. After a cancellation there are no more attempts. A value
  /// that was not requested traps. Source of the rules: Combine's `retry`.
  ///
  /// - Parameter retries: How many times to subscribe again; without end if negative.
  /// - Returns: A publisher that counts the values and passes demand on by requests.
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// A publisher that subscribes to its upstream again when that fails; see
  /// ``Publisher/retry(_:)-(_)``.
  public struct Retry<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many times to subscribe again; without end if `nil` or negative.
    public let retries: Int?

    /// Makes the publisher that ``Publisher/retry(_:)-(_)`` returns.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - retries: How many times to subscribe again; without end if `nil` or negative.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      RetryStage(
        downstream: subscriber, publisher: self, succession: SuccessionSubscription("Retry"),
        turn: 0
      ).subscribe()
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

/// The stage that receives from one attempt. The number of its turn says how many failed before.
@usableFromInline
struct RetryStage<Upstream: Publisher, Downstream: Subscriber>: SuccessionStage
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let publisher: Publishers.Retry<Upstream>

  @usableFromInline
  let succession: SuccessionSubscription

  @usableFromInline
  let turn: Int

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

  /// Subscribes to the upstream, as the attempt whose turn it is.
  @inlinable
  func subscribe() {
    succession.runTurns { turn in
      publisher.upstream.attach(
        RetryStage(
          downstream: downstream, publisher: publisher, succession: succession, turn: turn))
    }
  }

  // Demand goes up by request, since the attempt may have failed during the delivery.
  @inlinable
  @inline(__always)
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

  @inlinable
  var mayRetry: Bool {
    guard let retries = publisher.retries, retries >= 0 else { return true }
    return turn < retries
  }
}
