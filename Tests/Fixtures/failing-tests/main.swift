// Tests that fail, in both frameworks: `failing-tests xctest`, `failing-tests xctest-snapshots` or
// `failing-tests swift-testing`.

import StreamsTesting
import Testing
import XCTest

switch CommandLine.arguments.dropFirst().first {
case "xctest":
  XCTMain([testCase(XCTestFailures.allTests)], arguments: ["failing-tests"])
case "xctest-snapshots":
  XCTMain([testCase(XCTestSnapshots.allTests)], arguments: ["failing-tests"])
default:
  await Testing.__swiftPMEntryPoint() as Never
}
