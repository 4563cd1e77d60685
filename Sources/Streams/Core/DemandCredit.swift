import Synchronization

/// The outstanding demand: how many values a subscriber has requested and not received yet.
///
/// It's one atomic word that any thread may touch. Zero means idle, and a positive number is
/// outstanding demand. Once the word is ``ended``, it stays so forever. There are two ways to use
/// it:
///
/// - **To count.** Values arrive from elsewhere, one at a time. ``take()`` says whether the next
///   one may be delivered, and subtracts it.
/// - **To take turns emitting.** A source that can deliver on request uses this as its only lock.
///   The thread whose ``add(_:)`` moves the word away from zero becomes the emitter. It stays the
///   emitter until ``settle(_:)`` moves the word back to zero or finds that it has ended. A request
///   from inside a delivery, or from another thread, only adds to the word and returns. So requests
///   neither recurse nor wait, and one thread emits at a time. If the word is idle when it ends,
///   the thread that ended it cleans up. Otherwise the emitter does.
@usableFromInline package struct DemandCredit: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<Int>

  /// Starts at zero.
  @inlinable package init() { word = Atomic(0) }

  /// Starts at zero, or makes the caller the emitter from the start. As the emitter, it has one
  /// value outstanding that it has to ``settle(_:)``, unless it ends the demand.
  @inlinable init(emitting: Bool) { word = Atomic(emitting ? 1 : 0) }

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
  /// - Returns: Whether this moved the word away from zero, which makes the caller the emitter.
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

  /// Subtracts values that were delivered. Only the emitter calls this.
  ///
  /// - Returns: How many more to deliver. If zero, the caller isn't the emitter any more. If
  ///   negative, the demand has ended, and the caller has to clean up.
  @inlinable
  func settle(_ delivered: Int) -> Int {
    var old = word.load(ordering: .acquiring)
    while old >= 0 {
      let new = old == Self.unlimited ? old : old - delivered
      // The word isn't zero, so no other thread has become the emitter.
      if new == old { return new }
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return new }
      old = current
    }
    return old
  }

  /// Ends the demand: from now on, nothing can be added or taken.
  ///
  /// - Returns: Whether this is the first end.
  @inlinable
  package func end() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) >= 0 }

  /// Ends the demand, for a caller that isn't the emitter.
  ///
  /// - Returns: Whether the word was idle. If so, the caller has to clean up.
  @inlinable
  func endIdle() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) == 0 }
}

extension Int {
  /// The sum of two numbers that aren't negative, or `Int.max` if it would be larger.
  @inlinable
  func addingSaturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
