/// A stage that turns each value into one value or none, such as those of `compactMap` and
/// `removeDuplicates`. The closure may throw.
///
/// When it holds a value back, it returns a demand of one, as `filter` does. A stage can also end
/// the stream instead (``holdBack()``). Values and the end pass even if upstream never sends a
/// subscription, as they do in Combine's `compactMap`.
@usableFromInline protocol SieveStage: RelayStage, TransparentStage {
  /// The type of errors that the user's closure can throw.
  associatedtype Thrown: Error = Never

  /// Calls the user's closure. `nil` means that the value is held back.
  func sieve(_ input: Input) throws(Thrown) -> Downstream.Input?

  /// Handles a value that is held back.
  ///
  /// - Returns: The demand to return to upstream.
  func holdBack() -> Subscribers.Demand

  /// Ends the stream with the error that the closure has thrown.
  func fail(with error: Thrown)
}

extension SieveStage {
  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard !relay.isOver else { return .none }
    do throws(Thrown) {
      guard let output = try sieve(input) else { return holdBack() }
      return withDownstream { $0.receive(output) }
    } catch {
      fail(with: error)
      return .none
    }
  }

  @inlinable func holdBack() -> Subscribers.Demand { .max(1) }
}

extension SieveStage where Failure == Downstream.Failure {
  @inlinable func receive(completion: Subscribers.Completion<Failure>) { passEnd(completion) }
}

extension SieveStage where Thrown == Never {
  @inlinable func fail(with error: Never) {}
}
