import Foundation

/// State behind a lock. The lock of `Streams` is visible in the main package only.
package final class Locked<State> {
  private let lock = NSLock()
  private var state: State

  /// Makes a lock that guards this state.
  package init(_ state: State) { self.state = state }

  /// Runs a closure with exclusive access to the state. Not re-entrant.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}

// The state is only accessed under the lock.
extension Locked: @unchecked Sendable {}
