import Testing
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
/// An asynchronous test is a task of the world, as are the tasks that it starts. While it awaits,
/// time moves.
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
        try withWorld { world in
          let (reporter, name) = (IssueReporter.current, name)
          world.moveTimeInRunLoop { [weak world] in
            reporter.report("\(name): \(WaitWatch.problem(of: world).message)", .here())
          }
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

extension SourceLocation {
  /// This file, because XCTest doesn't tell where a test is.
  fileprivate static func here(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
  ) -> Self {
    Self(fileID: fileID, filePath: filePath, line: line, column: 1)
  }
}
