/// A stage that runs a throwing closure of the user's: what is thrown ends the stream.
///
/// Downstream hears of any error, so upstream's own failure is passed on without its type.
@usableFromInline
protocol ThrowingStage: RelayStage where Downstream.Failure == any Error {}

extension ThrowingStage {
  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    passEnd(completion.erasingFailure())
  }

  /// Cancels upstream, then tells downstream; nothing of it after a cancellation.
  @inlinable
  func fail(with error: any Error) { endEarly(.failure(error)) }
}

extension Subscribers.Completion {
  /// The same end, without the type of its error.
  @inlinable
  func erasingFailure() -> Subscribers.Completion<any Error> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(error)
    }
  }
}
