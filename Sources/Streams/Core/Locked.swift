/// State guarded by the project's one kind of lock.
///
/// Hold the lock for a few assignments only, and never while you call out. Under the lock, decide
/// *what* to do and return that; do it after unlocking. Release the user's values after unlocking
/// too. It isn't re-entrant.
@usableFromInline package final class Locked<State> {
  @usableFromInline let lock = Lock()

  // Touched under the lock only.
  @exclusivity(unchecked) @usableFromInline var state: State

  /// Makes a lock that guards this state.
  @inlinable package init(_ state: State) { self.state = state }

  /// Runs a closure with exclusive access to the state.
  ///
  /// A result that the caller ignores is released after unlocking, also in optimised builds.
  @inlinable
  @inline(never)  // A caller that ignores the result can't release it before the lock is free.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { () throws(Failure) -> Result in try body(&state) }
  }

  /// Whether the lock is held right now, for tests.
  package var isHeld: Bool { lock.isHeld }
}

// The state is only accessed under the lock.
extension Locked: @unchecked Sendable {}
