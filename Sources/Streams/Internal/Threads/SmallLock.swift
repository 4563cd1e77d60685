import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock of half a word, for objects that every subscription needs.
///
/// ``Locked`` is safer to use, because its state can't be reached without locking. But it's an
/// object of its own, and a subscription with a `Locked` costs a third more to make. So use this
/// only where a benchmark shows it. The same rules hold. Keep the state in private properties of the
/// owner, touch them only inside ``withLock(_:)``, and say so where they're declared. Never call out
/// or release the user's values while you hold it. It isn't re-entrant.
///
/// Such a property can be `@exclusivity(unchecked)`, because accesses under a lock don't overlap.
@usableFromInline
struct SmallLock: ~Copyable, Sendable {
  /// No thread holds it.
  @inlinable
  static var free: UInt32 { 0 }

  @inlinable
  static var held: UInt32 { 1 }

  /// Held, and a thread may be waiting.
  @inlinable
  static var awaited: UInt32 { 2 }

  @usableFromInline
  let word = Atomic<UInt32>(SmallLock.free)

  @inlinable
  init() {}

  /// Runs a closure while no other thread holds the lock.
  @inlinable
  @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    if !word.compareExchange(expected: Self.free, desired: Self.held, ordering: .acquiring)
      .exchanged
    {
      waitAndLock()
    }
    let result = body()
    if word.exchange(Self.free, ordering: .releasing) == Self.awaited { wakeWaiting() }
    return result
  }

  @usableFromInline
  func waitAndLock() {
    // If it's free by now, this thread holds it. The next unlocking may call an empty room.
    room.wait { word.exchange(Self.awaited, ordering: .acquiring) == Self.free }
  }

  @usableFromInline
  func wakeWaiting() { room.callAll() }

  /// The room where threads wait for this lock. A lock in an object never moves.
  private var room: LockRoom {
    let address = withUnsafePointer(to: word) { UInt(bitPattern: $0) }
    return lockRooms[Int(address >> 4) % lockRooms.count]
  }
}

/// A place where threads wait for a lock. All locks share a few rooms, so a lock needs none of its
/// own. A thread that waits for another lock is woken in vain now and then.
private final class LockRoom: @unchecked Sendable {
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

private let lockRooms = (0..<16).map { _ in LockRoom() }
