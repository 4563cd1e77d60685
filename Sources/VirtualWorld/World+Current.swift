import StreamsFoundation

extension World {
  /// The world of the code that calls this.
  ///
  /// ```swift
  /// @Test(.world) func loads() throws {
  ///   let world = try World.current
  /// ```
  ///
  /// - Throws: ``NoWorld`` outside `withWorld`, and outside a test with the trait `.world`.
  public static var current: World {
    get throws(NoWorld) {
      guard let backend = SchedulingScope.backend as? WorldBackend, let world = backend.world else {
        throw NoWorld()
      }
      backend.noteDriver()
      return world
    }
  }

  /// The world of the code that calls this; `nil` if there is none.
  ///
  /// Unlike ``current``, it doesn't trust the calling task.
  package static var here: World? { (SchedulingScope.backend as? WorldBackend)?.world }

  /// The error of ``current`` in code that doesn't run in a world.
  public struct NoWorld: Error, Hashable, CustomStringConvertible {
    init() {}

    /// A line that says what to do.
    public var description: String {
      "this code doesn't run in a world: add the trait .world to the test, or call withWorld"
    }
  }
}
