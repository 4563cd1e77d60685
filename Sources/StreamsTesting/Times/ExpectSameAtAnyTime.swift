import Streams
import Testing
import VirtualTime
import VirtualWorld

/// Runs a test with each response at every time, and fails it if the outcome depends on that.
///
/// ```swift
/// @Test func theLatestQueryWins() {
///   expectSameAtAnyTime { world in
///     let model = SearchModel(session: world.session)
///     world.network.stub(.get, urlOfSw, responses: .json(sw, after: .milliseconds(50)))
///     …
///     world.run()
///     return model.results
///   }
/// }
/// ```
///
/// A test has one time for each response, and a network has any. So this moves each response, one
/// at a time, from its request to the end of the run and a second further, and compares what the
/// body returns. If that differs, the failure names a move that changes it, close to the usual
/// time, and shows both outcomes. Pass that move to
/// ``withWorld(schedule:moving:tasks:onProblem:fileID:filePath:line:column:_:)`` to run it again.
///
/// It finds out what happens at each millisecond, but runs the body only where something could
/// change: between two runs in which everything comes at the same time or as much later as what's
/// moved, and in the same order, nothing can. It knows that from the record of requests, recorders
/// and lanes, and from the work of the clock. Only code that compares times by itself, as in `now >
/// loaded + 60`, can behave differently at a time between two runs that look alike.
///
/// ## The body
///
/// It runs many times, as that of `expectSameInEveryOrder` does, and the same rules hold: make
/// everything that it changes inside, return what a user would notice, and put other expectations
/// elsewhere. A stub's last response serves further requests, and stubs may be left over, because a
/// move can lead to more requests or fewer.
///
/// - Parameters:
///   - things: What's moved.
///   - limit: How far; `nil` for a second after the end of the usual run.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectSameAtAnyTime<Outcome: Hashable>(
  of things: MoveSelection = .everyResponse, upTo limit: VirtualTime? = nil,
  fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) throws -> Outcome
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = TimeTest<Outcome>(things, upTo: limit, at: location)
  try makeRuns(&test, at: location, body)
  test.report()
}

/// Runs an asynchronous test with each response at every time, and fails it if the outcome depends
/// on that. The one for a synchronous test explains the rules.
///
/// - Parameters:
///   - things: What's moved.
///   - limit: How far; `nil` for a second after the end of the usual run.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectSameAtAnyTime<Outcome: Hashable>(
  of things: MoveSelection = .everyResponse, upTo limit: VirtualTime? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) async throws -> Outcome
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = TimeTest<Outcome>(things, upTo: limit, at: location)
  try await makeRuns(&test, at: location, body)
  test.report()
}

/// Runs a test with each response at every time, and fails it if what its recorders receive and
/// which requests it sends depends on that.
///
/// The values and completions of each recorder are compared, in their order and without times, and
/// the requests that were made. Recorders needn't be looked at. The function with a body that
/// returns something explains the rest.
///
/// - Parameters:
///   - things: What's moved.
///   - limit: How far; `nil` for a second after the end of the usual run.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectSameAtAnyTime(
  of things: MoveSelection = .everyResponse, upTo limit: VirtualTime? = nil,
  fileID: String = #fileID, filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) throws -> Void
) rethrows {
  try expectSameAtAnyTime(
    of: things, upTo: limit, fileID: fileID, filePath: filePath, line: line, column: column
  ) { world in
    try body(world)
    return world.outcome
  }
}

/// Runs an asynchronous test with each response at every time, and fails it if what its recorders
/// receive and which requests it sends depends on that.
///
/// - Parameters:
///   - things: What's moved.
///   - limit: How far; `nil` for a second after the end of the usual run.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectSameAtAnyTime(
  of things: MoveSelection = .everyResponse, upTo limit: VirtualTime? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line, column: Int = #column, _ body: (World) async throws -> Void
) async rethrows {
  try await expectSameAtAnyTime(
    of: things, upTo: limit, isolation: isolation, fileID: fileID, filePath: filePath, line: line,
    column: column
  ) { world in
    try await body(world)
    return world.outcome
  }
}
