/// The stage of operators that change only the completion, such as `mapError`.
@usableFromInline
struct CompletionStage<Failure: Error, Downstream: Subscriber>: TransparentStage {
  @usableFromInline let name: String
  @usableFromInline let downstream: Downstream

  /// Makes the completion that downstream gets.
  @usableFromInline
  let transform: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @inlinable
  init(
    name: String, downstream: Downstream,
    transform:
      @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
  ) {
    (self.name, self.downstream, self.transform) = (name, downstream, transform)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: transform(completion))
  }
}

extension Subscribers.Completion {
  /// The same completion with another error, if it's a failure.
  @inlinable
  func mapError<E>(_ transform: (Failure) -> E) -> Subscribers.Completion<E> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }

  /// The same completion, without the type of its error.
  @inlinable func erasingFailure() -> Subscribers.Completion<any Error> { mapError { $0 } }
}
