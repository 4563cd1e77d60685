import Synchronization

/// The phase in which a subscriber gets its subscription, on the attaching thread.
///
/// A subscriber gets its subscription before anything else, so until this phase is over, only the
/// attaching thread delivers. Subscribing and requesting never wait. A send waits only while a
/// first current value is delivered. There are two ways to use it:
///
/// - **A source** ends it once `receive(subscription:)` has returned. If another thread requests
///   something before, it calls ``mark()`` and moves on, and the attaching thread serves that
///   request at the end (``end(_:)``).
/// - **A subject** ends it with the subscriber's first request, as Combine does, or else once
///   `receive(subscription:)` has returned. After the first request, any thread may deliver, even
///   if that call is still running. If it had to put its values aside instead, they could pile up
///   without a limit, and arrive after later values that took another way. If there is a current
///   value, the attaching thread marks the phase while it delivers that value, and ends it
///   afterwards.
///
/// It's one atomic word: the ID of the attaching thread, and the mark. It's zero after the end.
@usableFromInline package struct HandOver: ~Copyable, Sendable {
  @usableFromInline let word: Atomic<UInt>

  /// What ``mark()`` has found.
  @usableFromInline package enum Marking { case isNew, wasMarked, isOver }

  /// Begins a hand-over on the calling thread.
  @inlinable package init() { self.init(isOver: false) }

  /// Begins a hand-over on the calling thread, unless `isOver` says that none is needed.
  @inlinable
  init(isOver: Bool) {
    precondition(ThreadID.hasFreeBits, "thread IDs have no free bits here")
    word = Atomic(isOver ? ThreadID.none : ThreadID.current)
  }

  // A thread's ID is the address of its control block, so its lowest bits are free.
  @inlinable static var marked: UInt { 1 }

  /// Whether the phase is over, so that any thread may deliver.
  @inlinable var isOver: Bool { word.load(ordering: .acquiring) == ThreadID.none }

  /// The attaching thread, or none after the end.
  @inlinable var thread: UInt { word.load(ordering: .relaxed) & ~Self.marked }

  /// Whether the phase isn't over, and the calling thread is the attaching one.
  @inlinable package var isMine: Bool { thread == ThreadID.current }

  /// Marks the phase, unless it's over: it has to wait for something before it ends.
  @usableFromInline @discardableResult
  package func mark() -> Marking {
    var old = word.load(ordering: .acquiring)
    while old != ThreadID.none {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old | Self.marked, ordering: .acquiringAndReleasing)
      if exchanged { return old & Self.marked == 0 ? .isNew : .wasMarked }
      old = current
    }
    return .isOver
  }

  /// Ends the phase, unless it's marked.
  ///
  /// - Returns: Whether it's over now.
  @inlinable @discardableResult
  func endUnlessMarked() -> Bool {
    guard !isOver else { return true }
    let (exchanged, current) = word.compareExchange(
      expected: thread, desired: ThreadID.none, ordering: .acquiringAndReleasing)
    return exchanged || current == ThreadID.none
  }

  /// Ends the phase, marked or not.
  @inlinable func end() { word.store(ThreadID.none, ordering: .releasing) }

  /// Ends the phase, after the work that other threads have left. The attaching thread calls this
  /// once.
  ///
  /// - Parameter doLeftWork: Does the work if the phase is marked. It's called again if more was
  ///   left meanwhile, and not at all if there's none. Then the phase is over.
  @inlinable
  package func end(_ doLeftWork: () -> Void) {
    let thread = ThreadID.current
    while !endUnlessMarked() {
      _ = word.exchange(thread, ordering: .acquiringAndReleasing)
      doLeftWork()
    }
  }
}
