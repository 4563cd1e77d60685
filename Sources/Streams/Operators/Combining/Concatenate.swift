extension Publisher {
  /// Publishes the values of this publisher, then the given ones.
  ///
  ///     numbers.append(8, 9)  // the numbers, then 8 and 9
  ///
  /// Behaves like ``append(_:)-(P)`` with a publisher of these values. Follows Combine's
  /// `append(_:)`.
  ///
  /// - Parameter elements: The values to publish once this publisher has finished.
  /// - Returns: A publisher that passes the demand that's left on to the given values.
  @inlinable
  public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Publishes the values of this publisher, then the elements of a sequence.
  ///
  ///     numbers.append(8...9)  // the numbers, then 8 and 9
  ///
  /// Behaves like ``append(_:)-(P)`` with a publisher of that sequence. Follows Combine's
  /// `append(_:)`.
  ///
  /// - Parameter elements: The values to publish once this publisher has finished.
  /// - Returns: A publisher that passes the demand that's left on to the given values.
  @inlinable
  public func append<S>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>>
  where S: Sequence, Output == S.Element {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of this publisher, then those of another.
  ///
  ///     cached.append(downloaded)  // first the cached values, then the downloaded ones
  ///
  /// The other publisher is subscribed to once this one has finished, on the thread that brings the
  /// finish. If this one finishes while it's being subscribed to, the other is subscribed to right
  /// after that call. Demand that's still outstanding is requested from it. If this publisher
  /// fails, the stream fails, and the other publisher isn't subscribed to. A cancellation cancels
  /// the one that's active, and releases the other.
  ///
  /// Values that weren't requested pass as well, and don't count against later requests. Otherwise,
  /// it follows Combine's `append(_:)`, which drops them.
  ///
  /// - Parameter publisher: The publisher to subscribe to once this one has finished.
  /// - Returns: A publisher that tracks the outstanding demand and passes requests on.
  @inlinable
  public func append<P>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P: Publisher, Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Publishes the given values, then those of this publisher.
  ///
  ///     numbers.prepend(1, 2)  // 1, 2, then the numbers
  ///
  /// Behaves like ``append(_:)-(P)`` the other way round. This publisher is subscribed to once the
  /// given values have been delivered. Follows Combine's `prepend(_:)`.
  ///
  /// - Parameter elements: The values to publish first.
  /// - Returns: A publisher that passes the demand that's left on to this publisher.
  @inlinable
  public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence, then the values of this publisher.
  ///
  ///     numbers.prepend(1...2)  // 1, 2, then the numbers
  ///
  /// Behaves like ``append(_:)-(P)`` the other way round. This publisher is subscribed to once the
  /// sequence has been delivered. Follows Combine's `prepend(_:)`.
  ///
  /// - Parameter elements: The values to publish first.
  /// - Returns: A publisher that passes the demand that's left on to this publisher.
  @inlinable
  public func prepend<S>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
  where S: Sequence, Output == S.Element {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of another publisher, then those of this one.
  ///
  ///     downloaded.prepend(cached)  // first the cached values, then the downloaded ones
  ///
  /// Behaves like ``append(_:)-(P)`` the other way round. This publisher is subscribed to once the
  /// other one has finished. Follows Combine's `prepend(_:)`.
  ///
  /// - Parameter publisher: The publisher whose values come first.
  /// - Returns: A publisher that tracks the outstanding demand and passes requests on.
  @inlinable
  public func prepend<P>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P: Publisher, Failure == P.Failure, Output == P.Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}

extension Publishers {
  /// A publisher of the values of one publisher, then those of another; see
  /// ``Publisher/append(_:)-(P)``.
  public struct Concatenate<Prefix, Suffix>: Publisher
  where
    Prefix: Publisher, Suffix: Publisher, Prefix.Failure == Suffix.Failure,
    Prefix.Output == Suffix.Output
  {
    public typealias Output = Suffix.Output
    public typealias Failure = Suffix.Failure

    public let prefix: Prefix
    public let suffix: Suffix

    @inlinable
    public init(prefix: Prefix, suffix: Suffix) {
      (self.prefix, self.suffix) = (prefix, suffix)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let concatenation = ConcatenateSubscription(suffix: suffix)
      // If the prefix finishes inside `attach`, the suffix is attached once that has returned.
      _ = concatenation.beginRun()
      prefix.attach(PrefixStage(downstream: subscriber, concatenation: concatenation))
      while !concatenation.endRun() {
        PrefixStage(downstream: subscriber, concatenation: concatenation).attachSuffix()
      }
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}
extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}

/// The stage that receives from the prefix. Its turn is the first.
@usableFromInline
struct PrefixStage<Suffix: Publisher, Downstream: Subscriber>: SuccessionStage
where Suffix.Output == Downstream.Input, Suffix.Failure == Downstream.Failure {
  @usableFromInline let downstream: Downstream
  @usableFromInline let succession: SuccessionSubscription
  @usableFromInline let concatenation: ConcatenateSubscription<Suffix>

  @inlinable
  init(downstream: Downstream, concatenation: ConcatenateSubscription<Suffix>) {
    (self.downstream, self.concatenation) = (downstream, concatenation)
    succession = concatenation
  }

  @inlinable var turn: Int { 0 }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard succession.isTurn(turn) else { return }
    switch completion {
    case .finished:
      if succession.endTurn(turn) { succession.runTurns { _ in attachSuffix() } }
    case .failure:
      guard succession.finish(turn: turn) else { return }
      _ = concatenation.takeSuffix()
      downstream.receive(completion: completion)
    }
  }

  @inlinable
  func attachSuffix() {
    guard let suffix = concatenation.takeSuffix() else { return }
    suffix.attach(SuccessorStage(downstream: downstream, succession: succession))
  }
}

/// The subscription of `append` and `prepend`, which also keeps the suffix until its turn.
@usableFromInline final class ConcatenateSubscription<Suffix: Publisher>: SuccessionSubscription {
  private let suffix: Locked<Suffix?>

  @usableFromInline
  init(suffix: Suffix) {
    self.suffix = Locked(suffix)
    super.init("Concatenate", trapsOnNoDemand: false)
  }

  /// Removes the suffix, for the caller to subscribe to or to release.
  @usableFromInline func takeSuffix() -> Suffix? { suffix.withLock { $0.take() } }

  @usableFromInline
  override func cancel() {
    // First ended, so that the suffix isn't missed by a finish on another thread.
    super.cancel()
    _ = takeSuffix()
  }
}
