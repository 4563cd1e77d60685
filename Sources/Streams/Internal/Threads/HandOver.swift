import Synchronization

/// The time in which one thread hands a subscriber its subscription.
///
/// A subscriber gets its subscription before anything else, so until the hand-over is over, signals
/// from other threads have to wait. Nothing blocks: a thread that has a signal puts it aside and calls
/// ``leaveToAttacher()``; the attaching thread delivers it at the end of the hand-over. Signals from
/// the attaching thread itself, which come from within `receive(subscription:)`, are delivered at
/// once.
///
/// One word: the attaching thread, with one flag that says that something was left to it; zero once
/// the hand-over is over.
@usableFromInline
struct HandOver: ~Copyable, Sendable {
  @usableFromInline
  let word: Atomic<UInt>

  /// Begins a hand-over on the calling thread.
  @inlinable
  init() { word = Atomic(ThreadID.current) }

  /// Begins a hand-over on the calling thread, unless it needs none.
  @inlinable
  init(isOver: Bool) { word = Atomic(isOver ? ThreadID.none : ThreadID.current) }

  // Threads are addresses of control blocks; their lowest bits are free.
  @inlinable
  static var leftovers: UInt { 1 }

  /// Whether the subscriber has its subscription, so that signals may come from any thread.
  @inlinable
  var isOver: Bool { word.load(ordering: .acquiring) == ThreadID.none }

  /// Tells the attaching thread that there is something for it to deliver.
  ///
  /// - Returns: `false` if the hand-over is over, or if the calling thread is the attaching one: the
  ///   caller delivers the signal itself then.
  @usableFromInline
  func leaveToAttacher() -> Bool {
    var old = word.load(ordering: .acquiring)
    while old != ThreadID.none, old & ~Self.leftovers != ThreadID.current {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old | Self.leftovers, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = current
    }
    return false
  }

  /// Ends the hand-over. Only the attaching thread calls this, once.
  ///
  /// - Parameter deliverLeftovers: Called, possibly several times, to deliver what other threads have
  ///   left. The hand-over is over when it returns and nothing more was left meanwhile.
  @inlinable
  func end(_ deliverLeftovers: () -> Void) {
    let thread = ThreadID.current
    while !word.compareExchange(
      expected: thread, desired: ThreadID.none, ordering: .acquiringAndReleasing
    ).exchanged {
      word.store(thread, ordering: .releasing)
      deliverLeftovers()
    }
  }
}
