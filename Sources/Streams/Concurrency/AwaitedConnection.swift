/// The subscription that all copies of an iterator share. It ends when the last copy is released.
///
/// Upstream keeps the subscriber, so the subscriber can't be the one to notice that.
@usableFromInline
final class AwaitedConnection<Input, Failure: Error>: Sendable {
  @usableFromInline
  let subscriber = AwaitedSubscriber<Input, Failure>()

  /// Subscribes to a publisher.
  @inlinable
  init<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
    publisher.attach(subscriber)
  }

  @inlinable
  deinit { subscriber.cancel() }
}
