import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The re-entrant gate that serialises signals: a delivery from the thread that is inside nests, a
/// delivery from another thread waits.
///
/// One word: the thread that is inside, and two flags that other threads may set meanwhile. One says
/// that a thread is waiting to come in. The other says that there are chores, which the thread inside
/// does before it leaves. So subscribing and cancelling needn't wait, and no chore is missed, because
/// a thread can leave only by a compare-and-swap that finds neither flag.
///
/// This is not the lock that guards state (``Locked``): user code runs inside a gate.
@usableFromInline
package struct Gate: ~Copyable, Sendable {
  @usableFromInline
  let word = Atomic<UInt>(0)

  @inlinable
  package init() {}

  // Threads are addresses of control blocks; their lowest bits are free.
  @inlinable
  static var waiters: UInt { 1 }

  @inlinable
  static var chores: UInt { 2 }

  /// Whether the calling thread is inside.
  @inlinable
  var isMine: Bool {
    word.load(ordering: .relaxed) & ~(Self.waiters | Self.chores) == ThreadID.current
  }

  /// Goes inside. If another thread is inside, waits until that has left.
  ///
  /// - Returns: Whether the thread was outside before. It has to ``leave(doing:)`` then, and only
  ///   then.
  @inlinable
  package func enter() -> Bool {
    if word.compareExchange(expected: 0, desired: ThreadID.current, ordering: .acquiring).exchanged
    {
      return true
    }
    return enterAfterAnother()
  }

  /// Goes inside if no thread is.
  ///
  /// - Returns: Whether the thread went inside; it has to leave then.
  @inlinable
  func enterIfEmpty() -> Bool {
    word.compareExchange(expected: 0, desired: ThreadID.current, ordering: .acquiring).exchanged
  }

  /// Whether chores are waiting for the thread that is inside. It may do them early.
  @inlinable
  var hasChores: Bool { word.load(ordering: .relaxed) & Self.chores != 0 }

  /// Goes inside if no thread is. Otherwise tells the thread inside that there are chores.
  ///
  /// - Returns: Whether the thread went inside; it has to do the chores itself then.
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

  /// Leaves, unless another thread waits or has left chores meanwhile.
  ///
  /// - Returns: Whether the thread has left; it has to ``leave(doing:)`` otherwise.
  @inlinable
  package func leaveUndisturbed() -> Bool {
    word.compareExchange(expected: ThreadID.current, desired: 0, ordering: .releasing).exchanged
  }

  /// Leaves, after the chores that were left meanwhile.
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

  /// Tries once to go inside. If that fails, the thread inside knows that this one waits.
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
  /// The address of this atomic, which tells it from others. Atomics in objects never move.
  fileprivate var address: UInt {
    withUnsafePointer(to: self) { UInt(bitPattern: $0) }
  }
}

/// A place where threads wait that find a gate shut. All gates share a few rooms, so that a gate
/// costs no more than a word.
private final class WaitingRoom: @unchecked Sendable {
  // Both are only handed to pthread functions.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  /// Tries until it succeeds; between tries waits to be called. A try happens under the mutex, so
  /// that a call cannot come between a failed one and the wait.
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
