/// An object whose end a test wants to see: through a weak reference, or as it happens.
final class Token: Sendable {
  private let onRelease: (@Sendable () -> Void)?

  /// Makes a token.
  ///
  /// - Parameter onRelease: Runs while the token is being released.
  init(onRelease: (@Sendable () -> Void)? = nil) { self.onRelease = onRelease }

  deinit { onRelease?() }

  /// Does nothing: a closure that calls it keeps the token.
  func touch() {}
}
