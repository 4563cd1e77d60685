/// One of the publishers that are combined.
@usableFromInline
class Side {
  // Both are under the lock of the junction.
  @usableFromInline
  final var subscription: (any Subscription)?

  @usableFromInline
  final var isFinished = false

  @inlinable
  init() {}

  /// Whether there is a value of it for the next combination; asked inside the gate.
  @usableFromInline
  var hasValue: Bool { false }

  /// Takes out its values, to be released by the caller; called inside the gate.
  @usableFromInline
  func takeValues() -> Any? { nil }
}

/// What one of the publishers has for the combinations to come: with `zip` all that waits for the
/// others, with `combineLatest` its latest value.
@usableFromInline
final class CombinedSide<Value>: Side {
  // Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var values = FIFO<Value>()

  @inlinable
  override init() {}

  @usableFromInline
  override var hasValue: Bool { !values.isEmpty }

  @usableFromInline
  override func takeValues() -> Any? { values.removeAll() }
}

/// Receives the values of one of the publishers that are combined.
@usableFromInline
struct CombinedStage<Input, Junction: Combining>: Subscriber {
  @usableFromInline
  typealias Failure = Junction.Downstream.Failure

  @usableFromInline
  let junction: Junction

  @usableFromInline
  let side: CombinedSide<Input>

  @inlinable
  init(junction: Junction, side: CombinedSide<Input>) {
    self.junction = junction
    self.side = side
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(side) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: side) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { junction.receive(input, from: side) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    junction.completed(side, completion)
  }
}
