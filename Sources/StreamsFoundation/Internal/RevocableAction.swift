import Streams

/// A timer's action that can be revoked.
///
/// A cancelled timer keeps its handler until its queue or run loop gets around to it, and that may
/// be never. Revoking the action releases its captured values at once. If another thread is running
/// the action at that moment, that thread releases it.
///
/// `@unchecked`: the action is behind the lock, and only the timer's thread runs it.
final class RevocableAction: @unchecked Sendable {
  private let action: Locked<(() -> Void)?>

  init(_ action: @escaping () -> Void) { self.action = Locked(action) }

  func run() { action.withLock { $0 }?() }

  func revoke() {
    // Released outside the lock.
    _ = action.withLock { $0.take() }
  }
}
