import Synchronization

// A source that can deliver on request uses the credit as its only lock. The thread whose
// ``add(_:)`` moves the word away from zero becomes the emitter. It stays the emitter until
// ``settle(_:)`` moves the word back to zero or finds that it has ended. A request from inside a
// delivery, or from another thread, only adds to the word and returns. So requests neither recurse
// nor wait, and one thread emits at a time. If the word is idle when it ends, the thread that ended
// it cleans up. Otherwise the emitter does.
extension DemandCredit {
  /// Starts at zero, or makes the caller the emitter from the start. As the emitter, it has one
  /// value outstanding that it has to ``settle(_:)``, unless it ends the demand.
  @inlinable init(emitting: Bool) { word = Atomic(emitting ? 1 : 0) }

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

  /// Ends the demand, for a caller that isn't the emitter.
  ///
  /// - Returns: Whether the word was idle. If so, the caller has to clean up.
  @inlinable
  func endIdle() -> Bool { word.exchange(Self.ended, ordering: .acquiringAndReleasing) == 0 }
}
