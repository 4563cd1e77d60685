/// A publisher that makes another one for each subscriber, when it subscribes.
///
/// It is what makes a ``Future`` wait, and start again for a second subscriber.
public struct Deferred<DeferredPublisher>: Publisher where DeferredPublisher: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  /// Makes the publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that waits.
  ///
  /// - Parameter createPublisher: Called once for each subscriber, in the call that subscribes.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    createPublisher().receive(subscriber: subscriber)
  }
}
