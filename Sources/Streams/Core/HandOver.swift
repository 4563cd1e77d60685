import Synchronization

/// The phase in which a source sends a subscriber its subscription, on the attaching thread.
///
/// A subscriber gets its subscription before anything else, so until this phase is over, only the
/// attaching thread delivers. If another thread requests something before, it leaves the work to
/// that thread (``leaveWork()``) and moves on, so requesting never waits. The attaching thread does
/// the work once `receive(subscription:)` has returned (``end(_:)``).
///
/// It's one atomic word: the ID of the attaching thread, and whether there is work. It's zero after
/// the end.
@usableFromInline package struct HandOver: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<UInt>

  /// Begins a hand-over on the calling thread.
  @inlinable package init() { self.init(isOver: false) }

  /// Begins a hand-over on the calling thread, unless `isOver` says that none is needed.
  @inlinable
  init(isOver: Bool) {
    precondition(ThreadID.hasFreeBits, "thread IDs have no free bits here")
    word = Atomic(isOver ? ThreadID.none : ThreadID.current)
  }

  // A thread's ID is the address of its control block, so its lowest bits are free.
  @inlinable static var hasWork: UInt { 1 }

  /// Whether the phase isn't over, and the calling thread is the attaching one.
  @inlinable package var isMine: Bool {
    word.load(ordering: .relaxed) & ~Self.hasWork == ThreadID.current
  }

  /// Leaves work to the attaching thread, unless the phase is over.
  ///
  /// - Returns: Whether that thread will do it. If not, the caller has to.
  @usableFromInline
  package func leaveWork() -> Bool {
    var old = word.load(ordering: .acquiring)
    while old != ThreadID.none {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old | Self.hasWork, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return false
  }

  /// Ends the phase, after the work that other threads have left. The attaching thread calls this
  /// once.
  ///
  /// - Parameter doLeftWork: Does the work, if there is any. It's called again if more was left
  ///   meanwhile.
  @inlinable
  package func end(_ doLeftWork: () -> Void) {
    let thread = ThreadID.current
    while !word.compareExchange(
      expected: thread, desired: ThreadID.none, ordering: .acquiringAndReleasing
    ).exchanged {
      _ = word.exchange(thread, ordering: .acquiringAndReleasing)
      doLeftWork()
    }
  }
}
