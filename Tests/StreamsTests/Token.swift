/// An object whose release a test observes, through a weak reference or a closure.
final class Token: Sendable {
  private let onRelease: (@Sendable () -> Void)?

  /// Makes a token.
  ///
  /// - Parameter onRelease: Runs while the token is being released.
  init(onRelease: (@Sendable () -> Void)? = nil) { self.onRelease = onRelease }

  deinit { onRelease?() }

  /// Does nothing. A closure that calls it keeps the token alive.
  func touch() {}
}
