/// A publisher that creates a new publisher for each subscriber, at the moment it subscribes.
///
/// Wrap a ``Future`` in it to delay the work until you subscribe, and to run it again for each
/// subscriber.
public struct Deferred<DeferredPublisher>: Publisher where DeferredPublisher: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  /// Creates the publisher for one subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Creates a deferred publisher.
  ///
  /// - Parameter createPublisher: Creates the publisher. Called once for each subscriber, inside
  ///   the call that subscribes.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    createPublisher().attach(subscriber)
  }
}
