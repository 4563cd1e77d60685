extension Publisher {
  /// The values of this publisher, as an asynchronous sequence that throws the publisher's failure.
  ///
  /// The publisher is subscribed to when a loop makes its iterator, and each turn of the loop
  /// requests one value. See ``AsyncThrowingPublisher``.
  ///
  ///     for try await length in ["1", "b"].publisher.tryMap({ try parse($0) }).values {
  ///       print(length)  // 1, and then the loop throws the error of parse("b")
  ///     }
  ///
  /// Follows Combine's `values`.
  // Disfavoured for libraries that have one of their own, as `Optional.publisher`.
  @_disfavoredOverload
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that can fail, as an asynchronous sequence.
///
/// A failure is thrown once: by the call of `next()` that has waited longest, or by the next call
/// if none is waiting. All other calls return `nil` after it. Cancelling the task doesn't throw:
/// `next()` returns `nil`. But a failure that came before the cancellation is still thrown.
///
/// Everything else, such as demand and threads, is as in ``AsyncPublisher``. Follows Combine's
/// `AsyncThrowingPublisher`.
public struct AsyncThrowingPublisher<P>: AsyncSequence where P: Publisher {
  public typealias Element = P.Output
  // As in Combine, though only the publisher's failures are thrown.
  public typealias Failure = any Error
  public typealias AsyncIterator = Iterator

  let publisher: P
  private let requestRunner = SubscriberObservation.requestRunner

  /// Makes a sequence of the values of a publisher. Each iterator subscribes to it.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes to the publisher.
  ///
  /// - Returns: An iterator. Releasing it, and all copies of it, cancels the subscription.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher, requestRunner) }

  /// A subscription to a publisher, whose values you receive one by one.
  ///
  /// Copies of an iterator share one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = P.Output
    public typealias Failure = any Error

    let connection: AwaitedConnection<P.Output, P.Failure>

    init(_ publisher: P, _ requestRunner: SubscriberObservation.RequestRunner?) {
      connection = AwaitedConnection(publisher, requestRunner)
    }

    /// Requests a value, and waits for it.
    ///
    /// - Returns: The value, or `nil` if the publisher has finished, if its failure was thrown
    ///   already, or if the task is cancelled.
    /// - Throws: The failure of the publisher, once.
    public nonisolated(nonsending) mutating func next() async throws -> P.Output? {
      try await connection.subscriber.next(isolation: #isolation).get()
    }

    /// Requests a value on an actor, and waits for it.
    ///
    /// - Parameter actor: The actor of the caller, on which the request is made.
    /// - Returns: The value, or `nil` if the publisher has finished, if its failure was thrown
    ///   already, or if the task is cancelled.
    /// - Throws: The failure of the publisher, once.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> P.Output? {
      try await connection.subscriber.next(isolation: actor).get()
    }
  }
}

extension AsyncThrowingPublisher: Sendable where P: Sendable {}
extension AsyncThrowingPublisher.Iterator: Sendable where P: Sendable, P.Output: Sendable {}
