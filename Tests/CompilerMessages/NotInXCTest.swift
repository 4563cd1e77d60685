import XCTest

final class Tests: XCTestCase {
  func testIt() { XCTExpectFailure("it fails") }
  func note(_ issue: XCTIssue) {}
  func describe() -> String { debugDescription }
  func testLater() async {
    wait(for: [expectation(description: "a value")], timeout: 1)
  }
  override class var defaultTestSuite: XCTestSuite { XCTestSuite(name: "none") }
}

extension Tests {
  override func setUpWithError() throws {}
}
