import Testing
import VirtualTime
import VirtualWorld

/// Runs a test in a virtual world, and expects that the text it returns equals the one in its
/// snapshot file. If only the order of events has changed, the failure says so.
///
/// ```swift
/// @Test func showsWhatWasFound() {
///   expectSnapshot { world in
///     let model = SearchModel(session: world.session)
///     …
///     world.run()
///     return world.transcript
///   }
/// }
/// ```
///
/// The body runs once, in the usual order, and the world's problems fail the test as in
/// ``withWorld(schedule:onProblem:fileID:filePath:line:column:_:)``. If its text isn't the recorded
/// one, it runs again in the orders that depart from the usual one at one choice, until one of them
/// gives the recorded text, but at most 200 times. If one does, the failure names its schedule, so
/// you know that nothing but the order of what happens at one instant has changed.
///
/// So make everything that the body changes inside it, and put no other expectations into it, such
/// as `#expect`, because they'd fail in other orders too. Problems of the world in those runs don't
/// count. That's why `expectSnapshot(of:)` doesn't look for other orders: the test around it may do
/// anything.
///
/// `expectSnapshot(of:)` explains the files, and `expectSameInEveryOrder` the orders. Use that one
/// if every order has to give the same result.
///
/// - Parameters:
///   - name: A name in addition to the test's. A test with arguments needs one.
///   - function: The name of the test in XCTest. Swift Testing knows it.
///   - fileID: The module and the file that a failure names.
///   - filePath: The path of the test's source file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
///   - body: The test. It gets a new world each time, moves time, and returns the text.
/// - Throws: The error that the body throws in the usual order.
public func expectSnapshot(
  named name: String? = nil, function: String = #function, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) throws -> String
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let text = try inWorld(.firstComeFirstServed, at: location, body)
  let comparison = SnapshotComparison(of: text, named: name, function: function, at: location)
  var search = comparison.recorded.map(SnapshotSearch.init)
  while let schedule = search?.next() {
    var choices: [OrderChoice] = []
    let text = IssueReporter.$current.withValue(.silent) {
      try? inWorld(.replay(schedule), at: location, prepare: SnapshotSearch.prepare, body) {
        choices = $0.clock.choices
      }
    }
    search?.note(text, choices)
  }
  comparison.report(search?.reason)
}

/// Runs an asynchronous test in a virtual world, and expects that the text it returns equals the
/// one in its snapshot file. The one for a synchronous test explains what happens.
///
/// - Parameters:
///   - name: A name in addition to the test's. A test with arguments needs one.
///   - isolation: The actor of the caller, which the body runs on.
///   - function: The name of the test in XCTest. Swift Testing knows it.
///   - fileID: The module and the file that a failure names.
///   - filePath: The path of the test's source file.
///   - line: The line that a failure names.
///   - column: The column that a failure names.
///   - body: The test. It gets a new world each time, moves time, and returns the text.
/// - Throws: The error that the body throws in the usual order.
public func expectSnapshot(
  named name: String? = nil, isolation: isolated (any Actor)? = #isolation,
  function: String = #function, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) async throws -> String
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let text = try await inWorld(.firstComeFirstServed, at: location, body)
  let comparison = SnapshotComparison(of: text, named: name, function: function, at: location)
  var search = comparison.recorded.map(SnapshotSearch.init)
  while let schedule = search?.next() {
    var choices: [OrderChoice] = []
    let text = await IssueReporter.$current.withValue(
      .silent,
      operation: {
        try? await inWorld(.replay(schedule), at: location, prepare: SnapshotSearch.prepare, body) {
          choices = $0.clock.choices
        }
      }, isolation: isolation)
    search?.note(text, choices)
  }
  comparison.report(search?.reason)
}

extension IssueReporter {
  /// A reporter of runs that aren't the test's own.
  fileprivate static let silent = IssueReporter { _, _ in }
}
