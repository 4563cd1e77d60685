import XCTest

final class Tests: XCTestCase {
  func testIt() { XCTExpectFailure("it fails") }
  func note(_ issue: XCTIssue) {}
}
