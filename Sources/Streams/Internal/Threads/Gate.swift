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
        if old & Self.waiters != 0 { waitingRoom(at: word.address).callAll() }
        return
      }
    }
  }

  @usableFromInline
  func enterAfterAnother() -> Bool {
    if isMine { return false }
    waitingRoom(at: word.address).wait { tryToEnterOrWait() }
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

extension Atomic where Value == UInt {
  /// The address of this atomic, which identifies it. An atomic in an object never moves.
  fileprivate var address: UInt {
    withUnsafePointer(to: self) { UInt(bitPattern: $0) }
  }
}

/// A place where threads wait until they can enter a gate. All gates share a few rooms, so a gate
/// costs no more than a word.
private final class WaitingRoom: @unchecked Sendable {
  // Only pthread functions use these two.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  /// Tries until it succeeds, and waits for ``callAll()`` between tries. A try runs under the
  /// mutex, so a call can't slip in between a failed try and the wait.
  func wait(until succeeds: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !succeeds() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func callAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}

private let waitingRooms = (0..<16).map { _ in WaitingRoom() }

private func waitingRoom(at address: UInt) -> WaitingRoom {
  waitingRooms[Int(address >> 4) % waitingRooms.count]
}
