import Synchronization

/// The demand that is outstanding: how many values a subscriber has requested and not received yet.
///
/// One word that any thread may touch: `0` is idle, a positive number is outstanding demand, and
/// `ended` is for ever. There are two ways to use it:
///
/// - **To count.** Values arrive from elsewhere, one at a time. ``take()`` says whether the next one
///   may be delivered, and takes it off.
/// - **To take turns emitting.** A source that can deliver on request has no other lock. The thread
///   whose ``add(_:)`` moves the word away from zero becomes the emitter, and stays it until
///   ``settle(_:)`` has moved the word back to zero or found it ended. A request from inside a
///   delivery, or from another thread, only adds to the word and returns. So requests neither
///   recurse nor wait, and one thread emits at a time. If the word ends while it is idle, the thread
///   that ended it cleans up; otherwise the emitter does.
@usableFromInline
package struct DemandCredit: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<Int>

  /// Starts at zero.
  @inlinable
  package init() { word = Atomic(0) }

  /// Starts with one value outstanding that the caller has to ``settle(_:)``: this makes the caller
  /// the emitter.
  @inlinable
  init(emitting: Bool) { word = Atomic(emitting ? 1 : 0) }

  @inlinable
  static var unlimited: Int { .max }

  @inlinable
  static var ended: Int { -1 }

  /// The demand that is outstanding.
  @inlinable
  var demand: Subscribers.Demand {
    let credit = word.load(ordering: .relaxed)
    return credit == Self.unlimited ? .unlimited : .max(max(0, credit))
  }

  @inlinable
  var isEnded: Bool { word.load(ordering: .relaxed) < 0 }

  @inlinable
  var isUnlimited: Bool { word.load(ordering: .relaxed) == Self.unlimited }

  /// Adds to what is outstanding, unless it has ended. A count stays a count, however large.
  ///
  /// - Returns: Whether nothing was outstanding before, which makes the caller the emitter.
  @inlinable
  @discardableResult
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

  /// Takes one value off what is outstanding.
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

  /// Takes values off that were delivered. Only the emitter calls this.
  ///
  /// - Returns: How many more to deliver. Zero: the caller isn't the emitter any more. Negative: it
  ///   has ended, and the caller has to clean up.
  @inlinable
  func settle(_ delivered: Int) -> Int {
    var old = word.load(ordering: .relaxed)
    while old >= 0 {
      let new = old == Self.unlimited ? old : old - delivered
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return new }
      old = current
    }
    return old
  }

  /// Ends it: nothing can be added or taken any more.
  ///
  /// - Returns: Whether this is the first end.
  @inlinable
  package func end() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) >= 0 }

  /// Ends it, for a caller that isn't the emitter.
  ///
  /// - Returns: Whether it was idle, so that the caller has to clean up.
  @inlinable
  func endIdle() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) == 0 }
}

extension Int {
  /// The sum, or `Int.max` where it would be above that.
  @inlinable
  func addingSaturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
