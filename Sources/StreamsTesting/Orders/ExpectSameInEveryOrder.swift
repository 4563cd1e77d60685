import Streams
import Testing
import VirtualTime
import VirtualWorld

/// Runs a test in the usual order and in others, and fails it if the outcome depends on the order.
///
/// ```swift
/// @Test func theLatestQueryWins() {
///   expectSameInEveryOrder { world in
///     let model = SearchModel(session: world.session)
///     …
///     world.run()
///     return model.results
///   }
/// }
/// ```
///
/// At one instant, several things can happen next: work that's due on the clock, actions for
/// different queues, signals of different requests. A test runs them in one order, and a real
/// machine in any. This runs the body once for each order that departs from the usual one at one of
/// these choices, and compares what the body returns. `Schedule` says what is a choice and what
/// keeps its order.
///
/// If two orders lead to different outcomes, the failure names a smallest schedule for it, and
/// shows both outcomes. Pass that schedule to
/// ``withWorld(schedule:moving:tasks:onProblem:fileID:filePath:line:column:_:)`` to run the order
/// again.
///
/// ## The body
///
/// It runs many times, so make everything that it changes inside. Return what a user would notice,
/// such as the final state of a model: what you return is all that's compared. Put other
/// expectations into a test with `withWorld`, because `#expect` doesn't know the order that it
/// fails in.
///
/// Problems of a world, such as work that's left or a request without a stub, fail the test as in
/// `withWorld`. If they show in some orders only, they count as part of the outcome, and so does an
/// error that the body throws. A stub may be left over in another order than the usual one. If
/// nothing could come in another order, the body runs once.
///
/// ## Near-equal times
///
/// Real latencies are never equal. With `within: .milliseconds(200)`, each thing that the test
/// decides also comes earlier and later by up to 200 ms, one at a time: a response, a value of an
/// input, an action of `World.at`. So what's at most 200 ms apart is tried in both orders, and what
/// your code times by itself, such as a `debounce`, keeps its length.
/// `expectSameAtAnyTime` explains how.
///
/// - Parameters:
///   - interval: How far apart two things may be that count as simultaneous.
///   - departures: How often an order may depart from the usual one: 1 or more. Most order bugs
///     need one or two. With two, there are about half as many runs as the square of those with
///     one.
///   - limit: The most runs. If there are more orders, the test fails, because they weren't tried.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectSameInEveryOrder<Outcome: Hashable>(
  within interval: VirtualTime.Interval = .zero, departures: Int = 1, limit: Int = 10_000,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) throws -> Outcome
) rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = OrderTest<Outcome>(departures: departures, limit: limit, at: location)
  let isOver = try makeRuns(&test, at: location, body)
  test.report()
  guard isOver, interval > .zero, test.isIndependent else { return }
  var times = TimeTest<Outcome>(within: interval, at: location)
  try makeRuns(&times, at: location, reportsFirst: false, body)
  times.report()
}

/// Runs an asynchronous test in the usual order and in others, and fails it if the outcome depends
/// on the order. The one for a synchronous test explains the rules.
///
/// - Parameters:
///   - interval: How far apart two things may be that count as simultaneous.
///   - departures: How often an order may depart from the usual one: 1 or more.
///   - limit: The most runs. If there are more orders, the test fails.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, moves time, and returns the outcome.
/// - Throws: The error that the body throws.
public func expectSameInEveryOrder<Outcome: Hashable>(
  within interval: VirtualTime.Interval = .zero, departures: Int = 1, limit: Int = 10_000,
  isolation: isolated (any Actor)? = #isolation,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Outcome
) async rethrows {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var test = OrderTest<Outcome>(departures: departures, limit: limit, at: location)
  let isOver = try await makeRuns(&test, at: location, body)
  test.report()
  guard isOver, interval > .zero, test.isIndependent else { return }
  var times = TimeTest<Outcome>(within: interval, at: location)
  try await makeRuns(&times, at: location, reportsFirst: false, body)
  times.report()
}

/// Runs a test in the usual order and in others, and fails it if what its recorders receive and
/// which requests it sends depends on the order.
///
/// ```swift
/// @Test func theLatestQueryWins() {
///   expectSameInEveryOrder { world in
///     _ = world.record(search(world), as: "results")
///     world.run()
///   }
/// }
/// ```
///
/// The values and completions of each recorder are compared, in their order and without times, and
/// the requests that were made. Recorders needn't be looked at. The function with a body that
/// returns something explains the rest.
///
/// - Parameters:
///   - interval: How far apart two things may be that count as simultaneous.
///   - departures: How often an order may depart from the usual one: 1 or more.
///   - limit: The most runs. If there are more orders, the test fails.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, and moves time.
/// - Throws: The error that the body throws.
public func expectSameInEveryOrder(
  within interval: VirtualTime.Interval = .zero, departures: Int = 1, limit: Int = 10_000,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) throws -> Void
) rethrows {
  try expectSameInEveryOrder(
    within: interval, departures: departures, limit: limit, fileID: fileID, filePath: filePath,
    line: line, column: column
  ) { world in
    try body(world)
    return world.outcome
  }
}

/// Runs an asynchronous test in the usual order and in others, and fails it if what its recorders
/// receive and which requests it sends depends on the order.
///
/// - Parameters:
///   - interval: How far apart two things may be that count as simultaneous.
///   - departures: How often an order may depart from the usual one: 1 or more.
///   - limit: The most runs. If there are more orders, the test fails.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for a failure.
///   - filePath: The path of that file.
///   - line: The line to show for it.
///   - column: The column to show for it.
///   - body: The test. It gets a new world each time, and moves time.
/// - Throws: The error that the body throws.
public func expectSameInEveryOrder(
  within interval: VirtualTime.Interval = .zero, departures: Int = 1, limit: Int = 10_000,
  isolation: isolated (any Actor)? = #isolation,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Void
) async rethrows {
  try await expectSameInEveryOrder(
    within: interval, departures: departures, limit: limit, isolation: isolation, fileID: fileID,
    filePath: filePath, line: line, column: column
  ) { world in
    try await body(world)
    return world.outcome
  }
}
