import Testing
import VirtualWorld

/// Runs each test in a virtual world of its own.
///
/// ```swift
/// @MainActor @Test(.world) func showsTheResult() throws {
///   let world = try World.current
///   …
/// }
/// ```
///
/// On a suite, it applies to each test of the suite. When a test ends, its world ends too, with the
/// same checks as in `withWorld`.
public struct WorldTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the tests of a suite inherit the trait: they do.
  public var isRecursive: Bool { true }

  /// Runs a test case in a new world.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let location = test.sourceLocation
    try await withWorld(
      fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column
    ) { _ in try await function() }
  }
}

extension Trait where Self == WorldTrait {
  /// Runs each test in a virtual world of its own, which is `World.current`.
  public static var world: Self { WorldTrait() }
}
