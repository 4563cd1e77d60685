import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A place where threads wait until they can enter a gate or hold a lock.
///
/// All gates and locks share a few rooms, so none of them needs one of its own. A thread that waits
/// for another gate is woken in vain now and then.
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
