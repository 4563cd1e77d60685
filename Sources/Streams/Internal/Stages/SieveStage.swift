/// A stage that makes one value of each that it receives, or none: the filters, and the maps that
/// can throw.
///
/// A value that is held back is answered with a demand of one in its place, so that downstream
/// gets all it has requested and nothing has to be requested for it; or it ends the stream.
@usableFromInline
protocol SieveStage: RelayStage, TransparentStage {
  /// The type of errors that the user's closure can throw.
  associatedtype Thrown: Error

  /// Calls the closure of the user's; `nil` is held back.
  func sieve(_ input: Input) throws(Thrown) -> Downstream.Input?

  /// Does what is to be done about a value that is held back, and answers it.
  func holdBack() -> Subscribers.Demand

  /// Ends the stream with what was thrown.
  func fail(with error: Thrown)
}

extension SieveStage {
  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    do throws(Thrown) {
      guard let output = try sieve(input) else { return holdBack() }
      return downstream.receive(output)
    } catch {
      fail(with: error)
      return .none
    }
  }

  @inlinable
  func holdBack() -> Subscribers.Demand { .max(1) }
}

extension SieveStage where Thrown == Never {
  @inlinable
  func fail(with error: Never) {}
}
