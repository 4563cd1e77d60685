extension Publisher where Failure == Never {
  /// The values of this publisher, as an asynchronous sequence.
  ///
  /// The publisher is subscribed to when a loop makes its iterator, and each turn of the loop
  /// requests one value. See ``AsyncPublisher``.
  ///
  ///     for await number in [1, 2].publisher.map({ $0 * 10 }).values {
  ///       print(number)  // 10, then 20
  ///     }
  ///
  /// Follows Combine's `values`.
  // Disfavoured for libraries that have one of their own, as `Optional.publisher`.
  @_disfavoredOverload
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

/// The values of a publisher that can't fail, as an asynchronous sequence.
///
/// **Demand.** Each call of `next()` requests one value. So a publisher that makes its values on
/// request, such as a sequence, makes them at the pace of the loop. A publisher that doesn't wait
/// for requests, such as a subject, drops values while no call of `next()` is waiting. To keep
/// them, put `buffer` in front of `values`. If a publisher sends a value without a request, as
/// `replaceEmpty` does, the value waits for the next call.
///
/// **Ends.** When the publisher finishes, the current call and all later ones return `nil`.
/// Cancelling the task has the same effect, and cancels the subscription. So has releasing the
/// iterator, as a loop does when you leave it with `break`.
///
/// **Threads.** The publisher is subscribed to where the iterator is made. A request is made where
/// `next()` is called: in a loop on the main actor, a publisher that delivers during the request
/// runs its closures there. Values can arrive on any thread, and keep their order. If several tasks
/// call `next()` of copies of one iterator, each value goes to the call that has waited longest,
/// and cancelling one of these tasks ends the sequence for all of them.
///
/// Follows Combine's `AsyncPublisher`, except that Combine's doesn't say what happens to a
/// subscription whose iterator is released.
public struct AsyncPublisher<P>: AsyncSequence where P: Publisher, P.Failure == Never {
  public typealias Element = P.Output
  public typealias Failure = Never
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
    public typealias Failure = Never

    let connection: AwaitedConnection<P.Output, Never>

    init(_ publisher: P, _ requestRunner: SubscriberObservation.RequestRunner?) {
      connection = AwaitedConnection(publisher, requestRunner)
    }

    /// Requests a value, and waits for it.
    ///
    /// - Returns: The value, or `nil` if the publisher has finished or the task is cancelled.
    public nonisolated(nonsending) mutating func next() async -> P.Output? {
      await connection.subscriber.next(isolation: #isolation).get()
    }

    /// Requests a value on an actor, and waits for it.
    ///
    /// - Parameter actor: The actor of the caller, on which the request is made.
    /// - Returns: The value, or `nil` if the publisher has finished or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      await connection.subscriber.next(isolation: actor).get()
    }
  }
}

extension AsyncPublisher: Sendable where P: Sendable {}
extension AsyncPublisher.Iterator: Sendable where P: Sendable, P.Output: Sendable {}
