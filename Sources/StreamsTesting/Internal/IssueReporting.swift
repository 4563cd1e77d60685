import Foundation
import Testing
import VirtualWorld
import XCTest

/// Fails the running test, in Swift Testing or XCTest. Outside a test, says so when the program
/// ends.
///
/// - Parameters:
///   - message: The problem and what to do about it.
///   - location: The place in the test's sources that the framework shows.
package func reportIssue(_ message: String, at location: SourceLocation) {
  IssueReporter.current.report(message, location)
}

/// The place that issues go to. `withWorld(onProblem:)` and tests of this module collect them
/// instead of failing.
package struct IssueReporter: Sendable {
  /// The reporter of the current task. Detached tasks and threads have the default one.
  @TaskLocal package static var current = IssueReporter(
    report: recordInFramework, reportLate: recordLate, isOfFramework: true)
  let report: @Sendable (String, SourceLocation) -> Void

  /// Reports a problem that shows after its test may have ended, such as one of a `Task` that the
  /// test has left behind. Another test may be running.
  ///
  /// The last parameter is whether the test is one of Swift Testing.
  package let reportLate: @Sendable (String, SourceLocation, _ isInSwiftTesting: Bool) -> Void

  /// Whether issues fail a test or the program.
  let isOfFramework: Bool

  /// Makes a reporter that calls a closure with each message and its location.
  package init(report: @escaping @Sendable (String, SourceLocation) -> Void) {
    self.init(
      report: report, reportLate: { message, location, _ in report(message, location) },
      isOfFramework: false)
  }

  init(
    report: @escaping @Sendable (String, SourceLocation) -> Void,
    reportLate: @escaping @Sendable (String, SourceLocation, Bool) -> Void,
    isOfFramework: Bool
  ) {
    self.report = report
    self.reportLate = reportLate
    self.isOfFramework = isOfFramework
  }
}

private func recordInFramework(_ message: String, at location: SourceLocation) {
  Issue.record("\(message)", sourceLocation: location)
  // Both ignore an issue while the other one runs. Without a current test, this is XCTest, or a
  // detached task or a thread in Swift Testing, which then fails the whole run.
  guard Test.current == nil else { return }
  XCTFail(message, file: StaticString(immortal: location.filePath), line: UInt(location.line))
  if !ProcessInfo.processInfo.runsTests { FailingProgram.fail(message, at: location) }
}

/// Fails the test of the running task, or the whole run, but never the test that happens to run.
private func recordLate(
  _ message: String, at location: SourceLocation, isInSwiftTesting: Bool
) {
  // A task knows its test, also after that has ended. Without one, the run fails.
  if isInSwiftTesting { return _ = Issue.record("\(message)", sourceLocation: location) }
  // XCTest counts failures for the test that runs now.
  FailingProgram.fail(message, at: location)
}

/// A program without tests in which an expectation failed, or a world had a problem.
///
/// Both frameworks ignore issues there, so without this, the program would look fine.
private enum FailingProgram {
  /// Makes the program exit with status 1 when it ends.
  private static let willFail: Void = {
    atexit {
      // Ending another way is the one change of status that a handler may make. It skips the
      // buffers, so they are written first.
      fflush(nil)
      _exit(EXIT_FAILURE)
    }
  }()

  static func fail(_ message: String, at location: SourceLocation) {
    let problem = World.Problem(message: message, source: .init(location))
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    willFail
  }
}

extension ProcessInfo {
  /// Whether this is a process of `swift test` or of Xcode's tests.
  ///
  /// A mistake either way is small: a test that's taken for a program prints its problems twice,
  /// and a program with the name of a test is as silent as both frameworks.
  var runsTests: Bool {
    if environment.keys.contains(where: { $0.hasPrefix("XCTest") }) { return true }
    // On Linux, tests are a program of that name. On macOS, one of these helpers loads them.
    let name = arguments.first?.split(separator: "/").last ?? ""
    return name == "xctest" || name.hasSuffix(".xctest") || name == "swiftpm-testing-helper"
  }
}

extension World.Problem.Source {
  init(_ location: SourceLocation) {
    self.init(fileID: location.fileID, filePath: location.filePath, line: location.line)
  }
}
