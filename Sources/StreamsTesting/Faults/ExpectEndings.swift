import Testing
import VirtualWorld

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
/// With ``FaultSelection/lasting``, each fault lasts from its request on, so that code that tries
/// again fails again. With ``FaultSelection/inPairs(limit:)``, two things go wrong in a run. With
/// `departures`, each of these runs is tried in other orders too, as in `expectSameInEveryOrder`.
///
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
///   - departures: How often an order may depart from the usual one; 0 for the usual order only.
///   - name: The name of the snapshot, if a test has several.
///   - function: The name of the test in XCTest. Swift Testing knows it.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, departures: Int = 0, named name: String? = nil,
  function: String = #function, fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) throws -> Outcome
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults, departures: departures, at: location)
  try makeRuns(&test, at: location, body)
  expectSnapshot(
    of: test.table, named: name, function: function, fileID: fileID, filePath: filePath,
    line: line, column: column)
}

/// Lets each request of a test go wrong in each way, and fails the test for each ending that a
/// closure doesn't accept. Faults with the same ending fail it once, and the failure says how to
/// run the first of them again.
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
/// To judge how often requests are made, return `world.network.requests.count` too.
///
/// The function that compares with a snapshot explains what happens. If there's more to try than a
/// limit allows, the test fails.
///
/// - Parameters:
///   - faults: The faults that happen.
///   - departures: How often an order may depart from the usual one; 0 for the usual order only.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
///   - isAccepted: Called once for each run but the first. Returns whether the test may end so. If
///     an expectation such as `World.expectsEnd(of:as:)` fails, it may not in any case.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, departures: Int = 0, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) throws -> Outcome,
  judging isAccepted: (Ending<Outcome>) throws -> Bool
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults, departures: departures, at: location)
  try makeRuns(&test, at: location, body)
  try test.judge(at: location, isAccepted)
}

/// Lets each request of an asynchronous test go wrong in each way, and compares what that leads to
/// with a snapshot. The one for a synchronous test explains what happens.
///
/// - Parameters:
///   - faults: The faults that happen.
///   - departures: How often an order may depart from the usual one; 0 for the usual order only.
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
  of faults: FaultSelection = .everyFault, departures: Int = 0, named name: String? = nil,
  isolation: isolated (any Actor)? = #isolation, function: String = #function,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Outcome
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults, departures: departures, at: location)
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
///   - departures: How often an order may depart from the usual one; 0 for the usual order only.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
///   - isAccepted: Called once for each run but the first. Returns whether the test may end so. If
///     an expectation such as `World.expectsEnd(of:as:)` fails, it may not in any case.
/// - Throws: The error that the body throws.
public func expectEndings<Outcome>(
  of faults: FaultSelection = .everyFault, departures: Int = 0,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Outcome, judging isAccepted: (Ending<Outcome>) throws -> Bool
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = FaultTest<Outcome>(faults, departures: departures, at: location)
  try await makeRuns(&test, at: location, body)
  try test.judge(at: location, isAccepted)
}
