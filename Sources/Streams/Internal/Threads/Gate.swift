import Synchronization

/// The re-entrant gate that serialises signals. The thread inside can enter again, so its
/// deliveries nest. Other threads that deliver wait until it has left.
///
/// The gate is one atomic word: the ID of the thread inside, and two flags that other threads can
/// set. ``waiters`` says that a thread is waiting to enter. ``chores`` says that there is work that
/// the thread inside does before it leaves. So subscribing and cancelling don't have to wait. No
/// chore is missed, because leaving is a compare-and-swap that fails if a chore has been added.
///
/// This isn't the lock that guards state (``Locked``): user code runs inside a gate.
@usableFromInline
package struct Gate: ~Copyable, Sendable {
  @usableFromInline
  let word = Atomic<UInt>(0)

  @inlinable
  package init() {}

  // A thread's ID is the address of its control block, so its lowest bits are free.
  @inlinable
  static var waiters: UInt { 1 }

  @inlinable
  static var chores: UInt { 2 }

  /// Whether the calling thread is inside.
  @inlinable
  var isMine: Bool {
    word.load(ordering: .relaxed) & ~(Self.waiters | Self.chores) == ThreadID.current
  }

  /// Enters the gate. If another thread is inside, waits until it has left.
  ///
  /// - Returns: Whether the thread was outside before. If so, it has to ``leave(doing:)``. If not,
  ///   it mustn't, because an outer call of the same thread does.
  @inlinable
  package func enter() -> Bool {
    if word.compareExchange(expected: 0, desired: ThreadID.current, ordering: .acquiring).exchanged
    {
      return true
    }
    return enterAfterAnother()
  }

  /// Enters the gate if no thread is inside.
  ///
  /// - Returns: Whether the thread entered. If so, it has to leave.
  @inlinable
  func enterIfEmpty() -> Bool {
    word.compareExchange(expected: 0, desired: ThreadID.current, ordering: .acquiring).exchanged
  }

  /// Whether there are chores for the thread inside. It may do them early.
  @inlinable
  var hasChores: Bool { word.load(ordering: .relaxed) & Self.chores != 0 }

  /// Enters the gate if no thread is inside. Otherwise tells the thread inside, which may be the
  /// caller itself, that there are chores.
  ///
  /// - Returns: Whether the thread entered. If so, it has to do the chores itself, and then leave.
  @inlinable
  package func enterOrDelegate() -> Bool {
    var old = word.load(ordering: .relaxed)
    while true {
      let new = old == 0 ? ThreadID.current : old | Self.chores
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return old == 0 }
      old = current
    }
  }

  /// Leaves the gate, unless a thread is waiting or there are chores.
  ///
  /// - Returns: Whether the thread has left. If not, it has to ``leave(doing:)``.
  @inlinable
  package func leaveUndisturbed() -> Bool {
    word.compareExchange(expected: ThreadID.current, desired: 0, ordering: .releasing).exchanged
  }

  /// Does the chores until there are none left, then leaves the gate and wakes the waiting threads.
  @usableFromInline
  package func leave(doing chores: () -> Void) {
    var old = word.load(ordering: .relaxed)
    while true {
      let hasChores = old & Self.chores != 0
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: hasChores ? old & ~Self.chores : 0,
        ordering: .acquiringAndReleasing)
      guard exchanged else {
        old = current
        continue
      }
      if hasChores {
        chores()
        old = word.load(ordering: .relaxed)
      } else {
        if old & Self.waiters != 0 { WaitingRoom.of(word).callAll() }
        return
      }
    }
  }

  @usableFromInline
  func enterAfterAnother() -> Bool {
    if isMine { return false }
    WaitingRoom.of(word).wait { tryToEnterOrWait() }
    return true
  }

  /// Tries once to enter. If another thread is inside, tells it that this one is waiting.
  private func tryToEnterOrWait() -> Bool {
    var old = word.load(ordering: .relaxed)
    while true {
      let new = old == 0 ? ThreadID.current : old | Self.waiters
      let (exchanged, current) = word.compareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return old == 0 }
      old = current
    }
  }
}
