import Testing
import XCTest

/// Fails the running test, in Swift Testing or XCTest.
///
/// - Parameters:
///   - message: The problem and what to do about it.
///   - location: The place in the test's sources that the framework shows.
package func reportIssue(_ message: String, at location: SourceLocation) {
  IssueReporter.current.report(message, location)
}

/// The place that issues go to. Tests of this module collect them instead of failing.
package struct IssueReporter: Sendable {
  /// The reporter of the current task. Detached tasks and threads have the default one.
  @TaskLocal package static var current = IssueReporter(report: recordInFramework)
  let report: @Sendable (String, SourceLocation) -> Void

  /// Makes a reporter that calls a closure with each message and its location.
  package init(report: @escaping @Sendable (String, SourceLocation) -> Void) {
    self.report = report
  }
}

private func recordInFramework(_ message: String, at location: SourceLocation) {
  Issue.record("\(message)", sourceLocation: location)
  // Both ignore an issue while the other one runs. Without a current test, this is XCTest, or a
  // detached task or a thread in Swift Testing, which then fails the whole run.
  guard Test.current == nil else { return }
  XCTFail(message, file: StaticString(immortal: location.filePath), line: UInt(location.line))
}
