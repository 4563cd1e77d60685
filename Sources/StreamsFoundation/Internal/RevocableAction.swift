import Streams

/// An action that is given to a timer, and can be taken back.
///
/// A cancelled timer keeps its handler until its queue or run loop gets round to it, which may be
/// never. Taking the action back releases at once what it has captured. If another thread is just
/// running the action, that thread releases it.
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
