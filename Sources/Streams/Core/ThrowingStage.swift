/// A stage that runs a throwing closure that the user passes. An error from the closure ends the
/// stream.
///
/// Downstream receives errors of any type, so upstream's own failure is passed on without its type.
@usableFromInline protocol ThrowingStage: RelayStage
where Downstream.Failure == any Error, Relay: DetachingRelay {}

extension ThrowingStage {
  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    passEnd(completion.erasingFailure())
  }

  /// Cancels upstream, then delivers the failure. After a cancellation, nothing is delivered.
  @inlinable func fail(with error: any Error) { endEarly(.failure(error)) }
}
