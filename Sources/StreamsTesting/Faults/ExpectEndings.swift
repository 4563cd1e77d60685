import Foundation
import StubNetwork
import Testing
import VirtualWorld

/// The faults that a test lets happen.
public struct FaultSelection: Sendable {
  let isIncluded: @Sendable (NetworkFault) -> Bool

  /// Each request in turn is refused, times out, is lost in the middle of its body, gets a 500, a
  /// 503, a page of HTML or an empty body, and is twice and ten times as slow.
  public static let everyFault = FaultSelection { _ in true }

  /// Makes a selection of those faults.
  ///
  /// - Parameter isIncluded: Whether to let a fault happen.
  public init(where isIncluded: @escaping @Sendable (NetworkFault) -> Bool) {
    self.isIncluded = isIncluded
  }
}

/// How a test ends when something goes wrong with one of its requests.
public struct Ending<Outcome> {
  /// What goes wrong.
  public let fault: NetworkFault

  /// What the body returned; `nil` if it threw an error.
  public let outcome: Outcome?

  /// The error that the body threw.
  public let error: (any Error)?

  /// The problems of the world, such as work that was left.
  public let problems: [String]
}

/// Lets each request of a test go wrong in each way, and compares what that leads to with a
/// snapshot.
///
/// ```swift
/// @Test func showsSomethingWhateverHappens() {
///   expectEndings(of: .everyFault) { world in
///     let model = ProfileModel(session: world.session)
///     world.network.stub(.get, userURL, responses: .json(user))
///     model.load()
///     world.run()
///     return model.screen
///   }
/// }
/// ```
///
/// The body runs once as it is, and then once for each request and fault, each time in a new world.
/// What it returns is described in the snapshot, and faults with the same outcome stand together.
/// If it returns nothing, the values and completions of its recorders are described, and the
/// requests.
///
/// In a run with a fault, a stub's last response serves further requests too, because a fault can
/// lead to more of them, and a stub may be left over. A request that no stub matches can't reach
/// its server.
///
/// Other problems of a world, such as work that's left, are part of the ending, and so is an error
/// that the body throws. Without a fault, both fail the test.
///
/// Put no `#expect` into the body, because it doesn't know the fault that it fails with. What the
/// body returns is described by `stableText(_:)`, the same in every run.
///
/// Snapshots are files, which `expectSnapshot` explains.
///
/// - Parameters:
///   - faults: The faults that happen.
///   - name: The name of the snapshot, if a test has several.
///   - function: The name of the test in XCTest. Swift Testing knows it.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, named name: String? = nil,
  function: String = #function, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) throws -> Outcome
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults)
  try makeRuns(&test, at: location, body)
  expectSnapshot(
    of: test.table, named: name, function: function, fileID: fileID, filePath: filePath,
    line: line, column: column)
}

/// Lets each request of a test go wrong in each way, and fails the test for each ending that a
/// closure doesn't accept. Faults with the same ending fail it once.
///
/// ```swift
/// expectEndings(of: .everyFault) { world in
///   // …
///   return model.screen
/// } judging: { ending in
///   ending.outcome?.isBlank == false
/// }
/// ```
///
/// The function that compares with a snapshot explains what happens.
///
/// - Parameters:
///   - faults: The faults that happen.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
///   - isAccepted: Called once for each fault. Returns whether the test may end like this.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) throws -> Outcome,
  judging isAccepted: (Ending<Outcome>) throws -> Bool
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults)
  try makeRuns(&test, at: location, body)
  try test.judge(at: location, isAccepted)
}

/// Lets each request of an asynchronous test go wrong in each way, and compares what that leads to
/// with a snapshot. The one for a synchronous test explains what happens.
///
/// - Parameters:
///   - faults: The faults that happen.
///   - name: The name of the snapshot, if a test has several.
///   - isolation: The actor of the caller, which the body runs on.
///   - function: The name of the test in XCTest. Swift Testing knows it.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, function: String = #function,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Outcome
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults)
  try await makeRuns(&test, at: location, body)
  expectSnapshot(
    of: test.table, named: name, function: function, fileID: fileID, filePath: filePath,
    line: line, column: column)
}

/// Lets each request of an asynchronous test go wrong in each way, and fails the test for each
/// ending that a closure doesn't accept. The one for a synchronous test explains what happens.
///
/// - Parameters:
///   - faults: The faults that happen.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
///   - isAccepted: Called once for each fault. Returns whether the test may end like this.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, isolation: isolated (any Actor)? = #isolation,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Outcome, judging isAccepted: (Ending<Outcome>) throws -> Bool
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults)
  try await makeRuns(&test, at: location, body)
  try test.judge(at: location, isAccepted)
}

/// A test that runs once without a fault, and then once with each fault of its requests.
private struct FaultTest<Value>: TestSearch {
  private var trials: Trials<[String]>
  private var endings: [(ending: Ending<Value>, lines: [String])] = []

  init(_ faults: FaultSelection) { trials = Trials(faults: faults.isIncluded) }

  func next() -> Variation? { trials.next() }

  /// For a body that returns nothing.
  static var readsRecorders: Bool { true }

  mutating func note(_ run: TestRun<Value>) {
    let words =
      run.outcome.map { outcome in
        outcome is Void ? run.recorded : stableText(outcome).components(separatedBy: "\n")
      } ?? run.error.map { ["the body throws \(stableText($0))"] } ?? []
    guard let fault = run.variation.fault else { return trials.note(run.trial(words)) }
    let lines = words + run.problems
    trials.note(run.trial(lines))
    let ending = Ending(
      fault: fault, outcome: run.outcome, error: run.error, problems: run.problems)
    endings.append((ending, lines))
  }

  /// The text to compare with a snapshot.
  var table: String { trials.faultTable().joined(separator: "\n") + "\n" }

  /// Fails the test once for each different ending that isn't accepted, or if there's none to
  /// judge.
  func judge(
    at location: SourceLocation, _ isAccepted: (Ending<Value>) throws -> Bool
  ) rethrows {
    if endings.isEmpty {
      reportIssue("\(Trials<[String]>.noFaults), and no ending was judged", at: location)
    }
    var refused: [(faults: [NetworkFault], lines: [String])] = []
    for (ending, lines) in endings {
      guard try !isAccepted(ending) else { continue }
      if let index = refused.firstIndex(where: { $0.lines == lines }) {
        refused[index].faults.append(ending.fault)
      } else {
        refused.append(([ending.fault], lines))
      }
    }
    for (faults, lines) in refused {
      let condition = faults.count == 1 ? "if \(faults[0])" : "with each of \(faults.count) faults"
      let list = faults.count == 1 ? [] : NetworkFault.words(for: faults)
      let message =
        ["\(condition), the test ends in a way that isn't accepted:"] + list
        + lines.map { "  \($0)" }
      reportIssue(message.joined(separator: "\n"), at: location)
    }
  }
}
