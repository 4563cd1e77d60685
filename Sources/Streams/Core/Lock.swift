import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock that needs no memory but a byte, for objects that every subscription needs.
///
/// ``Locked`` is safer, because its state can't be reached without locking. But it's an object of
/// its own, which makes a subscription a third slower to set up. So keep the state in private
/// properties of the owner, touch them only inside ``withLock(_:)``, and say so where they're
/// declared. They can be `@exclusivity(unchecked)`, because accesses under a lock don't overlap.
///
/// It isn't a `Synchronization.Mutex`, because on Linux the thread sanitizer doesn't see the atomic
/// operations inside that one, and reports races that don't exist.
@usableFromInline package struct Lock: ~Copyable, Sendable {
  /// Awaited means held, and a thread may be waiting.
  @usableFromInline enum State: UInt8, AtomicRepresentable, Sendable { case free, held, awaited }

  @usableFromInline let state = Atomic(State.free)

  @inlinable package init() {}

  /// Runs a closure while no other thread holds the lock.
  @inlinable @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !state.compareExchange(expected: .free, desired: .held, ordering: .acquiring).exchanged {
      waitAndLock()
    }
    defer { if state.exchange(.free, ordering: .releasing) == .awaited { wakeWaiting() } }
    return try body()
  }

  @usableFromInline
  func waitAndLock() {
    // If it's free by now, this thread holds it, and will call the room even if no thread waits.
    WaitingRoom.of(state).wait { state.exchange(.awaited, ordering: .acquiring) == .free }
  }

  @usableFromInline func wakeWaiting() { WaitingRoom.of(state).callAll() }

  var isHeld: Bool { state.load(ordering: .relaxed) != .free }
}

/// A place where threads wait until they can hold a lock or enter a gate.
///
/// All locks and gates share a few rooms, so none of them needs one of its own. A thread that waits
/// for another one is woken in vain now and then.
final class WaitingRoom: @unchecked Sendable {
  // Only pthread functions use these two.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  private static let all = (0..<16).map { _ in WaitingRoom() }

  /// The room of an atomic word, whose address chooses it. An atomic in an object never moves.
  static func of<Value: AtomicRepresentable>(_ word: borrowing Atomic<Value>) -> WaitingRoom {
    let address = withUnsafePointer(to: word) { UInt(bitPattern: $0) }
    return all[Int(address >> 4) % all.count]
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
