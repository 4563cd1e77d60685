/// One of the publishers that are combined.
@usableFromInline
class Side {
  // Under the lock of the junction.
  @usableFromInline
  final var subscription: (any Subscription)?

  /// Whether its signals count: it has sent its subscription, and has not finished.
  // Written under the lock. The publisher's own signals, which come one at a time, read it.
  @exclusivity(unchecked)
  @usableFromInline
  final var isLive = false

  /// Whether it has finished, and sends nothing more. Written inside the gate and under the lock.
  @exclusivity(unchecked)
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

/// The values of one publisher that are kept for the combinations to come.
@usableFromInline
protocol CombinedValues<Value> {
  associatedtype Value

  init()

  var isEmpty: Bool { get }

  /// Takes another value in.
  ///
  /// - Returns: The one it replaces, to be released by the caller.
  mutating func put(_ value: Value) -> Value?

  /// Takes out all values, to be released by the caller.
  mutating func removeAll() -> [Value]
}

/// With `zip`: all that waits for the others.
extension FIFO: CombinedValues {
  @inlinable
  mutating func put(_ value: Element) -> Element? {
    append(value)
    return nil
  }
}

/// With `combineLatest`: the latest value.
@usableFromInline
struct Latest<Value>: CombinedValues {
  @usableFromInline
  var value: Value?

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { value == nil }

  @inlinable
  mutating func put(_ value: Value) -> Value? {
    let replaced = self.value
    self.value = value
    return replaced
  }

  @inlinable
  mutating func removeAll() -> [Value] { value.take().map { [$0] } ?? [] }
}

/// One of the publishers that are combined, and what it has for the combinations to come.
@usableFromInline
final class CombinedSide<Values: CombinedValues>: Side {
  // Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var values = Values()

  @inlinable
  override init() {}

  @usableFromInline
  override var hasValue: Bool { !values.isEmpty }

  @usableFromInline
  override func takeValues() -> Any? { values.removeAll() }
}

/// Receives the values of one of the publishers that are combined.
@usableFromInline
struct CombinedStage<Values: CombinedValues, Junction: Combining>: Subscriber {
  @usableFromInline
  typealias Input = Values.Value

  @usableFromInline
  typealias Failure = Junction.Downstream.Failure

  @usableFromInline
  let junction: Junction

  @usableFromInline
  let side: CombinedSide<Values>

  @inlinable
  init(junction: Junction, side: CombinedSide<Values>) {
    self.junction = junction
    self.side = side
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(side) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: side) }

  @inlinable
  @inline(__always)
  func receive(_ input: Values.Value) -> Subscribers.Demand { junction.receive(input, from: side) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    junction.completed(side, completion)
  }
}
