/// The subscription that all copies of an iterator share. It ends when the last copy is released.
///
/// Upstream keeps the subscriber, so the subscriber can't be the one to notice that.
final class AwaitedConnection<Input, Failure: Error>: Sendable {
  let subscriber: AwaitedSubscriber<Input, Failure>

  /// Subscribes to a publisher.
  ///
  /// - Parameter requestRunner: What runs the requests; `nil` if there's no observer.
  init<P: Publisher>(
    _ publisher: P, _ requestRunner: SubscriberObservation.RequestRunner?
  ) where P.Output == Input, P.Failure == Failure {
    subscriber = AwaitedSubscriber(requestRunner: requestRunner)
    publisher.attach(subscriber)
  }

  deinit { subscriber.cancel() }
}
