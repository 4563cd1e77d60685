/// The stage that receives from the second and last publisher of a succession: from the suffix of
/// `append`, or from the replacement of `catch`. It doesn't count the demand any more, because all
/// requests go to this publisher.
@usableFromInline struct SuccessorStage<Downstream: Subscriber>: SuccessionStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let succession: SuccessionSubscription

  @inlinable
  init(downstream: Downstream, succession: SuccessionSubscription) {
    (self.downstream, self.succession) = (downstream, succession)
  }

  // Yes, whatever downstream does: it has its subscription already.
  @inlinable static var _requestsLast: _Hint<Bool> { .yes }
  @inlinable var turn: Int { 1 }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.isActive(inTurn: turn) else { return .none }
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if succession.finish(turn: turn) { downstream.receive(completion: completion) }
  }
}
