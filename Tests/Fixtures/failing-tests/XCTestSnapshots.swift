import StreamsTesting
import XCTest

/// Compares with snapshots, in a file that doesn't import Testing.
final class XCTestSnapshots: XCTestCase {
  static var allTests: [(String, (XCTestSnapshots) -> () throws -> Void)] {
    [("testShowsAText", testShowsAText), ("testInATask", asyncTest(testInATask))]
  }

  func testShowsAText() {
    expectSnapshot(of: "one\n")
    expectSnapshot(of: "two\n", named: "second")
  }

  func testInATask() async {
    await Task.detached { expectSnapshot(of: "one\n", in: "shared", named: "text") }.value
  }
}
