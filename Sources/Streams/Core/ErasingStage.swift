// An operator and its throwing twin, such as `compactMap` and `tryCompactMap`, share one stage. Its
// closure throws what the stream fails with. So upstream's failure loses its type on the way to the
// stage of a throwing operator, and the closure of the other operator is taken as one that could
// throw.

extension Publisher {
  /// Attaches the stage of an operator whose closure can throw. The stage fails with any error.
  @inlinable @inline(__always)
  func attachThrowing<S: Stage>(_ stage: S) where S.Input == Output, S.Failure == any Error {
    attach(ErasingStage<Failure, S>(downstream: stage))
  }
}

/// A closure that can't throw, as one that could.
@inlinable @inline(__always)
func allowingErrors<Input, Output, Thrown: Error>(
  _ body: @escaping (Input) -> Output
) -> (Input) throws(Thrown) -> Output {
  { input throws(Thrown) in body(input) }
}

/// A closure that can't throw, as one that could.
@inlinable @inline(__always)
func allowingErrors<First, Second, Output, Thrown: Error>(
  _ body: @escaping (First, Second) -> Output
) -> (First, Second) throws(Thrown) -> Output {
  { first, second throws(Thrown) in body(first, second) }
}

/// Stands in front of the stage of a throwing operator, and passes upstream's failure on without
/// its type.
@usableFromInline
struct ErasingStage<Failure: Error, Downstream: Stage>: TransparentStage
where Downstream.Failure == any Error {
  @usableFromInline let downstream: Downstream

  @inlinable init(downstream: Downstream) { self.downstream = downstream }

  @usableFromInline var name: String { downstream.name }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion.erasingFailure())
  }
}
