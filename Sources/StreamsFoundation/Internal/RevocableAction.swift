import Streams

/// A timer's action that can be revoked.
///
/// A cancelled timer keeps its handler until its queue or run loop gets around to it, and that may
/// be never. Revoking the action releases its captured values at once. If another thread is running
/// the action at that moment, that thread releases it.
///
/// `@unchecked`: the action is behind the lock, and only the timer's thread runs it.
final class RevocableAction: @unchecked Sendable {
  // In a struct: reading a bare closure out of a generic container wraps the stored closure once
  // more each time, so a timer would become slower with each tick, and overflow its stack in the
  // end.
  private struct State {
    var action: (() -> Void)?
  }

  private let state: Locked<State>

  init(_ action: @escaping () -> Void) { state = Locked(State(action: action)) }

  func run() { state.withLock { $0.action }?() }

  func revoke() {
    // Released outside the lock.
    _ = state.withLock { $0.action.take() }
  }
}
