import VirtualWorld
import XCTest

/// A test case whose tests run in a virtual world, each in its own.
///
/// ```swift
/// final class SearchTests: WorldTestCase {
///   func testShowsTheResult() throws {
///     let world = try World.current
///     …
///   }
/// }
/// ```
///
/// `setUp` and `tearDown` run in the same world. The world ends after `tearDown`, with the same
/// checks as in `withWorld`. Subscriptions in properties of the test case end with it.
open class WorldTestCase: XCTestCase {
  /// Runs the test in a new world.
  open override func invokeTest() {
    let errorsBefore = testRun?.unexpectedExceptionCount
    let failuresBefore = testRun?.totalFailureCount
    do {
      try LateRequests.$nameOfTest.withValue(name) {
        try withWorld { _ in
          super.invokeTest()
          if testRun?.totalFailureCount != failuresBefore, let line = FailedRun.current?.note() {
            print("\(name): \(line)")
          }
          // XCTest has caught the error of the test.
          if testRun?.unexpectedExceptionCount != errorsBefore { throw ErrorOfTest() }
        }
      }
    } catch {}
  }
}

/// Tells a world that its test has thrown an error.
private struct ErrorOfTest: Error {}
