import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The re-entrant gate that serialises signals. The thread inside can enter again, so its
/// deliveries nest. Other threads that deliver wait until it has left.
///
/// The gate's word has the ID of the thread inside, and flags that other threads can set.
/// ``waiters`` says that a thread is waiting to enter. ``notes`` says that others have left work,
/// which the thread inside does before it leaves. So subscribing and cancelling don't have to wait.
/// No note is missed, because leaving is a compare-and-swap that fails if a note has been added.
///
/// This isn't the lock that guards state (``Locked``): user code runs inside a gate.
@usableFromInline package struct Gate: ~Copyable, Sendable {
  @usableFromInline let word = Atomic<UInt>(0)

  @inlinable
  package init() { precondition(ThreadID.hasFreeBits, "thread IDs have no free bits here") }

  @inlinable static var waiters: UInt { 1 }
  @inlinable static var notes: UInt { 2 }

  /// The part of the word that isn't the thread's ID.
  @inlinable static var flags: UInt { waiters | notes }

  /// Whether the calling thread is inside.
  @inlinable var isMine: Bool { word.load(ordering: .acquiring) & ~Self.flags == ThreadID.current }

  // MARK: Entering

  /// Enters the gate. If another thread is inside, waits until it has left.
  ///
  /// - Parameter me: The calling thread.
  /// - Returns: Whether the thread was outside before. If so, it has to leave. If not, it mustn't,
  ///   because an outer call of the same thread does.
  @inlinable @inline(__always)
  package func enter(as me: UInt = ThreadID.current) -> Bool {
    word.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged
      || enterAfterAnother()
  }

  /// Enters the gate if no thread is inside.
  ///
  /// - Returns: Whether the thread entered. If so, it has to leave.
  @inlinable
  func enterIfEmpty() -> Bool {
    word.compareExchange(expected: 0, desired: ThreadID.current, ordering: .acquiring).exchanged
  }

  /// Enters the gate if no thread is inside. Otherwise tells the thread inside, which may be
  /// the caller itself, that there are notes.
  ///
  /// - Returns: Whether the thread entered. If so, it has to act on the notes itself, and then
  ///   leave.
  @usableFromInline package func enterOrLeaveNote() -> Bool { enterOrLeave(Self.notes) }

  /// Leaves a note for the caller itself, which is inside, and acts on it as it leaves.
  @usableFromInline
  func leaveNote() {
    assert(isMine, "only the thread inside leaves itself a note")
    _ = enterOrLeave(Self.notes)
  }

  @usableFromInline @inline(never)
  func enterAfterAnother() -> Bool {
    if isMine { return false }
    WaitingRoom.of(word).wait { enterOrLeave(Self.waiters) }
    return true
  }

  /// Tries to enter. If another thread is inside, leaves it a flag.
  ///
  /// - Returns: Whether the thread entered.
  private func enterOrLeave(_ flag: UInt) -> Bool {
    let me = ThreadID.current
    var old = word.load(ordering: .relaxed)
    while true {
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: old == 0 ? me : old | flag, ordering: .acquiringAndReleasing)
      if exchanged { return old == 0 }
      old = current
    }
  }

  // MARK: Inside

  /// Whether there are notes for the thread inside, which may act on them early. Only that thread
  /// asks.
  @inlinable var hasNotes: Bool { word.load(ordering: .relaxed) & Self.notes != 0 }

  // MARK: Leaving

  /// Leaves the gate, unless a thread is waiting or there are notes.
  ///
  /// The caller keeps the object that the gate is in alive until this returns, even if another
  /// thread can enter before.
  ///
  /// - Parameter me: The calling thread.
  /// - Returns: Whether the thread has left. If not, it has to ``leave(actingOnNotes:)``.
  @inlinable @inline(__always)
  package func leaveUndisturbed(as me: UInt = ThreadID.current) -> Bool {
    word.compareExchange(expected: me, desired: 0, ordering: .releasing).exchanged
  }

  /// Acts on the notes until there are none left, then leaves the gate and wakes the waiting
  /// threads.
  @usableFromInline
  package func leave(actingOnNotes act: () -> Void) {
    var old = word.load(ordering: .relaxed)
    while true {
      let hasNotes = old & Self.notes != 0
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: hasNotes ? old & ~Self.notes : 0, ordering: .acquiringAndReleasing)
      guard exchanged else {
        old = current
        continue
      }
      if hasNotes {
        act()
        old = word.load(ordering: .relaxed)
      } else {
        if old & Self.waiters != 0 { WaitingRoom.of(word).callAll() }
        return
      }
    }
  }
}

/// Thread IDs, as words that fit in an atomic.
@usableFromInline package enum ThreadID {
  /// No thread.
  @inlinable static var none: UInt { 0 }

  /// The calling thread.
  @inlinable package static var current: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// The bits that are clear in every ID, so that a word has room for flags next to it.
  ///
  /// A C library makes the ID from the address of the thread's control block. That block contains
  /// pointers, so its address is a multiple of their size. Each gate checks that when it's made,
  /// because no standard promises it.
  @inlinable static var freeBits: UInt { 3 }

  @inlinable static var hasFreeBits: Bool { current & freeBits == 0 }
}
