import Synchronization

/// What a subscriber has requested and not yet received, and with it the right to emit.
///
/// One word: `0` is idle, a positive number is outstanding demand, `ended` is for ever. Whoever
/// moves it away from zero becomes the emitter and stays it until it has moved the word back to
/// zero or found it ended. A request from inside a delivery, or from another thread, only adds to
/// the word and returns: requests neither recurse nor wait, and one thread emits at a time.
///
/// Whoever ends the word while it is idle cleans up; otherwise the emitter does.
@usableFromInline
struct PendingDemand: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<Int>

  /// Starts idle, or with the right to emit already given to the caller.
  @inlinable
  init(emitting: Bool = false) { word = Atomic(emitting ? 1 : 0) }

  @inlinable
  static var unlimited: Int { .max }

  @inlinable
  static var ended: Int { -1 }

  /// Whether a cancellation or the last value has ended the emission.
  @inlinable
  var isEnded: Bool { word.load(ordering: .relaxed) < 0 }

  /// Whether everything there is has been requested.
  @inlinable
  var isUnlimited: Bool { word.load(ordering: .relaxed) == Self.unlimited }

  /// Adds to the demand.
  ///
  /// - Returns: Whether the caller has become the emitter.
  @inlinable
  func add(_ demand: Subscribers.Demand) -> Bool {
    var old = word.load(ordering: .relaxed)
    while old >= 0 {
      let new = demand.max.map { old.addingSaturating($0) } ?? Self.unlimited
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return old == 0 && new > 0 }
      old = current
    }
    return false
  }

  /// Takes delivered values off the demand. Only the emitter calls this.
  ///
  /// - Returns: How many more to deliver; zero if the caller is no longer the emitter, negative if
  ///   the emission has ended and the caller has to clean up.
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

  /// Ends the emission for ever.
  ///
  /// - Returns: What there was: zero says that nobody emits and the caller has to clean up,
  ///   a negative number that it had ended before.
  @inlinable
  func end() -> Int { word.exchange(Self.ended, ordering: .acquiringAndReleasing) }
}

extension Int {
  /// The sum, or `Int.max` where it would be above that.
  @inlinable
  func addingSaturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
