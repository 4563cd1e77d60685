import Synchronization

/// The phase in which a source hands a subscriber its subscription.
///
/// A subscriber gets its subscription before anything else. So until the hand-over has ended, only
/// the attaching thread delivers. If another thread requests something meanwhile, it calls
/// ``leaveToAttacher()`` and moves on, and the attaching thread serves that request at the end of
/// the hand-over. No thread waits.
///
/// The hand-over is one atomic word: the ID of the attaching thread, and a flag that says that
/// something was left to that thread. It's zero once the hand-over has ended.
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

  // Set if work was left to the attaching thread. A thread's ID is the address of its control
  // block, so its lowest bits are free.
  @inlinable static var leftWork: UInt { 1 }

  /// Whether the subscriber has its subscription, so that any thread may deliver.
  @inlinable var isOver: Bool { word.load(ordering: .acquiring) == ThreadID.none }

  /// Whether the hand-over is still going on and the calling thread is the attaching one.
  @inlinable
  package var isMine: Bool { word.load(ordering: .relaxed) & ~Self.leftWork == ThreadID.current }

  /// Tells the attaching thread that it has something to do at the end of the hand-over.
  ///
  /// - Returns: `false` if the hand-over has already ended. Then the caller has to do it itself.
  @usableFromInline
  package func leaveToAttacher() -> Bool {
    var old = word.load(ordering: .acquiring)
    while old != ThreadID.none {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old | Self.leftWork, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return false
  }

  /// Ends the hand-over. The attaching thread calls this once.
  ///
  /// - Parameter doLeftWork: Does the work that was left to this thread. It's called again if more
  ///   was left meanwhile, and not at all if there's none. Then the hand-over has ended.
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
