#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// State behind the project's one kind of lock.
///
/// Hold it for a few assignments only, and never while calling out: work out under the lock *what*
/// is to be done, return it, and do it outside. Values of the user's are released outside too.
///
/// It is a pthread mutex, since the thread sanitizer reports races that are none around
/// `Synchronization.Mutex` on Linux. State and mutex share one allocation.
@usableFromInline
package struct Locked<State> {
  @usableFromInline
  let storage: ManagedBuffer<State, pthread_mutex_t>

  /// Puts state behind a lock of its own.
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

  /// Gives exclusive access to the state; not re-entrant.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (state, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}

// The state is reached under the mutex only.
extension Locked: @unchecked Sendable {}

@usableFromInline
final class LockedStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
  }
}
