/// The stage that `catch`, `tryCatch` and `replaceError` share: it receives from upstream, and
/// subscribes to another publisher when upstream fails.
@usableFromInline
struct CatchStage<Failure: Error, Replacement: Publisher, Downstream: Subscriber>: SuccessionStage
where Replacement.Output == Downstream.Input, Replacement.Failure == Downstream.Failure {
  @usableFromInline let downstream: Downstream
  @usableFromInline let succession: SuccessionSubscription
  @usableFromInline let handler: (Failure) -> Result<Replacement, Downstream.Failure>

  @inlinable
  init(
    name: String, downstream: Downstream,
    handler: @escaping (Failure) -> Result<Replacement, Downstream.Failure>
  ) {
    (self.downstream, self.handler) = (downstream, handler)
    succession = SuccessionSubscription(name)
  }

  @inlinable var turn: Int { 0 }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished:
      if succession.finish(turn: turn) { downstream.receive(completion: .finished) }
    case .failure(let error):
      guard succession.endTurn(turn) else { return }
      switch handler(error) {
      case .success(let replacement):
        replacement.attach(SuccessorStage(downstream: downstream, succession: succession))
      case .failure(let error):
        if succession.finish() { downstream.receive(completion: .failure(error)) }
      }
    }
  }
}
