/// One of the combined publishers.
@usableFromInline
class Side {
  // Guarded by the junction's lock.
  @usableFromInline
  final var subscription: SubscriptionObject?

  /// Whether its signals count: it has sent its subscription and hasn't finished.
  // Written under the lock. The publisher's own signals, which come one at a time, read it without
  // the lock.
  @exclusivity(unchecked)
  @usableFromInline
  final var isLive = false

  /// Whether it has finished, and sends nothing more. Written inside the gate and under the lock.
  @exclusivity(unchecked)
  @usableFromInline
  final var isFinished = false

  @inlinable
  init() {}

  /// Whether it has a value for the next combination. Read inside the gate.
  @usableFromInline
  var hasValue: Bool { false }

  /// Takes out its values, for the caller to release. Called inside the gate.
  @usableFromInline
  func takeValues() -> Any? { nil }
}

/// The publishers that a junction combines. Nearly all junctions have two, which need no array.
@usableFromInline
struct Sides {
  @usableFromInline
  let first: Side

  @usableFromInline
  let second: Side

  @usableFromInline
  let others: [Side]

  @inlinable
  init(_ first: Side, _ second: Side, _ others: [Side] = []) {
    self.first = first
    self.second = second
    self.others = others
  }

  @inlinable
  var count: Int { others.count + 2 }

  /// Calls a closure for each side, and collects its results, except `nil`.
  @inlinable
  func compactMap<Result>(_ transform: (Side) -> Result?) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    if let result = transform(first) { results.append(result) }
    if let result = transform(second) { results.append(result) }
    for side in others { if let result = transform(side) { results.append(result) } }
    return results
  }

  @inlinable
  func contains(where predicate: (Side) -> Bool) -> Bool {
    predicate(first) || predicate(second) || others.contains(where: predicate)
  }
}

/// The values of one publisher that are kept for later combinations.
@usableFromInline
protocol CombinedValues<Value> {
  associatedtype Value

  init()

  var isEmpty: Bool { get }

  /// Adds a value.
  ///
  /// - Returns: The value it replaces, for the caller to release.
  mutating func put(_ value: Value) -> Value?

  /// Takes out all values, for the caller to release.
  mutating func removeAll() -> [Value]
}

/// For `zip`: all values that are waiting for the other publishers.
///
/// The first one has a place of its own. So as long as the publishers take turns, no value goes
/// through the queue.
@usableFromInline
struct Waiting<Value>: CombinedValues {
  @usableFromInline
  var first: Value?

  /// The values after the first. Empty if there is none.
  @usableFromInline
  var others = FIFO<Value>()

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { first == nil }

  @inlinable
  mutating func put(_ value: Value) -> Value? {
    if first == nil { first = value } else { others.append(value) }
    return nil
  }

  /// Takes out the first value, which has to exist. If it was the only one, adds one to a number.
  @inlinable
  mutating func removeFirst(emptied: inout Int32) -> Value {
    guard let removed = first.take() else { preconditionFailure("Zip: a value is missing") }
    if others.isEmpty { emptied += 1 } else { first = others.popFirst() }
    return removed
  }

  @inlinable
  mutating func removeAll() -> [Value] {
    let all = (first.take().map { [$0] } ?? []) + others.removeAll()
    return all
  }
}

/// For `combineLatest`: the latest value.
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

/// One of the combined publishers, and its values for later combinations.
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
  override func takeValues() -> Any? { values.isEmpty ? nil : values.removeAll() }
}

extension Side {
  /// Takes the first value of a side of a `zip`, which has to have one. If it was the only one,
  /// adds one to a number.
  ///
  /// - Parameter type: The type of this side's values. The compiler can't check it.
  @inlinable
  final func removeFirst<Value>(_ type: Value.Type, emptied: inout Int32) -> Value {
    let side = unsafeDowncast(self, to: CombinedSide<Waiting<Value>>.self)
    return side.values.removeFirst(emptied: &emptied)
  }
}

/// Receives the values of one of the combined publishers.
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
