import Foundation
import StreamsTesting
import XCTest

final class XCTestFailures: XCTestCase {
  static var allTests: [(String, (XCTestFailures) -> () throws -> Void)] {
    [
      ("testInTheTest", testInTheTest),
      ("testInATask", asyncTest(testInATask)),
      ("testInAGroup", asyncTest(testInAGroup)),
      ("testOnAThread", testOnAThread),
    ]
  }

  func testInTheTest() { expectNothing("in the test") }

  func testInATask() async {
    await Task { expectNothing("in a task") }.value
    await Task.detached { expectNothing("in a detached task") }.value
  }

  func testInAGroup() async {
    await withTaskGroup { group in
      group.addTask { expectNothing("in a group") }
    }
  }

  func testOnAThread() { onAThread { expectNothing("on a thread") } }
}
