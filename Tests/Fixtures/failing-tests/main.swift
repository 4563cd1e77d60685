// Tests that fail, in both frameworks: `failing-tests xctest` or `failing-tests swift-testing`.

import StreamsTesting
import Testing
import XCTest

if CommandLine.arguments.dropFirst() == ["xctest"] {
  XCTMain([testCase(XCTestFailures.allTests)], arguments: ["failing-tests"])
} else {
  await Testing.__swiftPMEntryPoint() as Never
}
