import Synchronization

/// The outstanding demand: how many values a subscriber has requested and not received yet.
///
/// It's one atomic word that any thread may touch. Zero means idle, and a positive number is
/// outstanding demand. Once the word is ``ended``, it stays so forever. Values arrive from
/// elsewhere, one at a time. ``take()`` says whether the next one may be delivered, and subtracts
/// it. A source that delivers on request also uses it to take turns (DemandCredit+Emitting.swift).
@usableFromInline package struct DemandCredit: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<Int>

  /// Starts at zero.
  @inlinable package init() { word = Atomic(0) }

  @inlinable static var unlimited: Int { .max }
  @inlinable static var ended: Int { -1 }

  /// The outstanding demand, as a `Demand`.
  @inlinable var demand: Subscribers.Demand {
    let credit = word.load(ordering: .relaxed)
    return credit == Self.unlimited ? .unlimited : .max(max(0, credit))
  }

  @inlinable var isEnded: Bool { word.load(ordering: .relaxed) < 0 }
  @inlinable var isUnlimited: Bool { word.load(ordering: .relaxed) == Self.unlimited }

  /// Adds to the outstanding demand, unless it has ended. Counts never add up to unlimited: the sum
  /// stops one below it.
  ///
  /// - Returns: Whether this moved the word away from zero. In a source that delivers on request,
  ///   that makes the caller the one that delivers.
  @inlinable @discardableResult
  package func add(_ demand: Subscribers.Demand) -> Bool {
    var old = word.load(ordering: .relaxed)
    while old >= 0, old != Self.unlimited {
      let new =
        demand.max.map { min(old.addingSaturating($0), Self.unlimited - 1) } ?? Self.unlimited
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return old == 0 && new > 0 }
      old = current
    }
    return false
  }

  /// Subtracts one value from the outstanding demand.
  ///
  /// - Returns: Whether there was demand for it.
  @inlinable
  package func take() -> Bool {
    // Acquiring, so that this thread sees what a subscriber wrote before it requested.
    var old = word.load(ordering: .acquiring)
    while old > 0, old != Self.unlimited {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old - 1, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return old > 0
  }

  /// Ends the demand: from now on, nothing can be added or taken.
  ///
  /// - Returns: Whether this is the first end.
  @inlinable
  package func end() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) >= 0 }
}

extension Int {
  /// The sum of two numbers that aren't negative, or `Int.max` if it would be larger.
  @inlinable
  func addingSaturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
