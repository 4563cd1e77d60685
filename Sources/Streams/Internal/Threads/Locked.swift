#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// State guarded by the project's one kind of lock.
///
/// Hold the lock for a few assignments only, and never while you call out. Under the lock, decide
/// *what* to do and return that; do it after unlocking. Release the user's values after unlocking
/// too.
///
/// It's a pthread mutex, because around `Synchronization.Mutex` on Linux the thread sanitizer
/// reports races that don't exist. State and mutex share one allocation.
@usableFromInline
package struct Locked<State> {
  @usableFromInline
  let storage: ManagedBuffer<State, pthread_mutex_t>

  /// Makes a lock that guards this state.
  @inlinable
  package init(_ state: State) {
    storage = LockedStorage<State>.create(minimumCapacity: 1) { buffer in
      buffer.withUnsafeMutablePointerToElements { mutex in
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init failed with error \(code)")
      }
      return state
    }
  }

  /// Runs a closure with exclusive access to the state. Not re-entrant.
  ///
  /// A result that the caller ignores is released after unlocking, also in optimised builds.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (state, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
    pthread_mutex_lock(mutex)
    // A variable lives until the unlocking call. The unnamed result of `return try body(…)`
    // doesn't: with `defer`, the optimiser released an ignored result before it.
    let result: Result
    do throws(Failure) {
      result = try body(&state.pointee)
    } catch {
      pthread_mutex_unlock(mutex)
      throw error
    }
    pthread_mutex_unlock(mutex)
    return result
  }

  /// Whether the lock is held right now, for tests.
  package var isHeld: Bool {
    storage.withUnsafeMutablePointerToElements { mutex in
      guard pthread_mutex_trylock(mutex) == 0 else { return true }
      pthread_mutex_unlock(mutex)
      return false
    }
  }
}

// The state is only accessed under the mutex.
extension Locked: @unchecked Sendable {}

@usableFromInline
final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
  }
}
