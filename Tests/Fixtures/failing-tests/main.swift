// Tests that fail, in both frameworks: `failing-tests xctest`, `failing-tests xctest-snapshots`,
// `failing-tests xctest-reasons`, `failing-tests xctest-runs` or
// `failing-tests swift-testing --filter <suite>`. And programs with the same mistakes and no tests:
// `failing-tests program` and `failing-tests program-that-asks`.

import StreamsTesting
import Testing
import XCTest

switch CommandLine.arguments.dropFirst().first {
case "xctest":
  XCTMain([testCase(XCTestFailures.allTests)], arguments: ["failing-tests"])
case "xctest-snapshots":
  XCTMain([testCase(XCTestSnapshots.allTests)], arguments: ["failing-tests"])
case "xctest-reasons":
  XCTMain(
    [
      testCase(HiddenReasonsInXCTest.allTests), testCase(HiddenReasonsInWorldTestCase.allTests),
    ], arguments: ["failing-tests"])
case "xctest-runs":
  XCTMain(
    [testCase(RunsInXCTest.allTests), testCase(RunsInWorldTestCase.allTests)],
    arguments: ["failing-tests"])
case "program":
  runMistakes()
case "program-that-asks":
  runMistakesAndPrintThem()
default:
  await Testing.__swiftPMEntryPoint() as Never
}
