import Synchronization

/// How many values a subscriber may still be sent.
@usableFromInline
package struct DemandCredit: ~Copyable, Sendable {
  @usableFromInline
  let word = Atomic<Int>(0)

  @inlinable
  package init() {}

  @inlinable
  static var unlimited: Int { .max }

  @inlinable
  static var ended: Int { -1 }

  /// What may still be taken.
  @inlinable
  var demand: Subscribers.Demand {
    let credit = word.load(ordering: .relaxed)
    return credit == Self.unlimited ? .unlimited : .max(max(0, credit))
  }

  @inlinable
  var isEnded: Bool { word.load(ordering: .relaxed) < 0 }

  /// Adds to the credit, unless it has ended. A count stays a count, however large.
  @inlinable
  package func add(_ demand: Subscribers.Demand) {
    var old = word.load(ordering: .relaxed)
    while old >= 0, old != Self.unlimited {
      let new =
        demand.max.map { min(old.addingSaturating($0), Self.unlimited - 1) } ?? Self.unlimited
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return }
      old = current
    }
  }

  /// Takes one value off the credit.
  ///
  /// - Returns: Whether there was one.
  @inlinable
  package func take() -> Bool {
    var old = word.load(ordering: .relaxed)
    while old > 0, old != Self.unlimited {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old - 1, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return old > 0
  }

  /// Ends the credit.
  ///
  /// - Returns: Whether this is the first end.
  @inlinable
  package func end() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) >= 0 }
}
