import Synchronization

/// The time in which one thread hands a subscriber its subscription.
///
/// A subscriber gets its subscription before anything else. So until the hand-over is over, only the
/// attaching thread delivers to the subscriber. Another thread that has a signal for it puts the
/// signal aside, says so with ``leaveToAttacher()`` and goes on; the attaching thread delivers it at
/// the end of the hand-over. Nobody waits.
///
/// One word: the attaching thread, with one flag that says that something was left to it; zero once
/// the hand-over is over.
@usableFromInline
package struct HandOver: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<UInt>

  /// Begins a hand-over on the calling thread.
  @inlinable
  package init() { word = Atomic(ThreadID.current) }

  /// Begins a hand-over on the calling thread, unless it needs none.
  @inlinable
  init(isOver: Bool) { word = Atomic(isOver ? ThreadID.none : ThreadID.current) }

  // Threads are addresses of control blocks; their lowest bits are free.
  @inlinable
  static var leftovers: UInt { 1 }

  /// Whether the subscriber has its subscription, so that any thread may deliver.
  @inlinable
  var isOver: Bool { word.load(ordering: .acquiring) == ThreadID.none }

  /// Whether the hand-over goes on, and the calling thread is the attaching one.
  @inlinable
  package var isMine: Bool { word.load(ordering: .relaxed) & ~Self.leftovers == ThreadID.current }

  /// Tells the attaching thread that there is something for it to do at the end.
  ///
  /// - Returns: `false` if the hand-over is over: the caller has to do it itself then.
  @usableFromInline
  package func leaveToAttacher() -> Bool {
    var old = word.load(ordering: .acquiring)
    while old != ThreadID.none {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old | Self.leftovers, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return false
  }

  /// Ends the hand-over. The attaching thread calls this, once.
  ///
  /// - Parameter doLeftovers: Does what was left to this thread. It's called again as long as more
  ///   was left meanwhile; the hand-over is over when nothing was.
  @inlinable
  package func end(_ doLeftovers: () -> Void) {
    let thread = ThreadID.current
    while !word.compareExchange(
      expected: thread, desired: ThreadID.none, ordering: .acquiringAndReleasing
    ).exchanged {
      _ = word.exchange(thread, ordering: .acquiringAndReleasing)
      doLeftovers()
    }
  }
}
