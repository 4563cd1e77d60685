import Foundation
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
/// ``withWorld(schedule:moving:tasks:onProblem:fileID:filePath:line:column:_:)``. If its text isn't
/// the recorded one, it runs again in the orders that depart from the usual one at one choice,
/// until one of them gives the recorded text, but at most 200 times. If one does, the failure names
/// its schedule, so you know that nothing but the order of what happens at one instant has changed.
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
  var test = SnapshotTest(named: name, function: function, at: location)
  try makeRuns(&test, at: location, body)
  test.report()
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
  var test = SnapshotTest(named: name, function: function, at: location)
  try await makeRuns(&test, at: location, body)
  test.report()
}

/// A test whose text is compared with a snapshot, and if it differs, in other orders too.
private struct SnapshotTest: TestSearch {
  private let name: String?
  private let function: String
  private let location: SourceLocation
  private var comparison: SnapshotComparison?

  /// The orders in which the text is the recorded one, or isn't.
  private var trials = Trials<Bool>(orders: OrderBound(runs: 200))

  init(named name: String?, function: String, at location: SourceLocation) {
    (self.name, self.function, self.location) = (name, function, location)
  }

  private var finding: Trials<Bool>.Finding? { trials.findings.first { $0.ending } }

  mutating func next() -> Variation? {
    guard let comparison else { return Variation() }
    return comparison.recorded == nil || finding != nil ? nil : trials.next()
  }

  mutating func note(_ run: TestRun<String>) {
    let text = run.outcome
    guard let comparison else {
      comparison = text.map {
        SnapshotComparison(of: $0, named: name, function: function, at: location)
      }
      return
    }
    trials.note(run.trial(text.map { Data($0.utf8) == comparison.recorded } ?? false))
  }

  func report() {
    guard let comparison else { return }
    guard let variation = finding?.cases[0], let schedule = variation.variation.schedule else {
      return comparison.report()
    }
    comparison.report(
      variation.isUsual
        ? """
        A second run in the same order gives the recorded result, so the body depends on something \
        outside its world, such as a random number or a variable that an earlier run has changed.
        """
        : """
        Another order gives the recorded result, with \(variation.order).
        To run that order: withWorld(schedule: "\(schedule)") { world in … }
        """)
  }
}
