import Foundation
import Streams
import StreamsFoundation
import Testing
import VirtualTime
import VirtualWorld

/// Runs a test in a virtual world.
///
/// ```swift
/// @Test func showsTheResult() {
///   withWorld { world in
///     world.network.stub(.get, "https://example.com/user", responses: .text("Ada"))
///     let model = ProfileModel(session: world.session)
///     model.load()
///     world.run()
///     #expect(model.name == "Ada")
///   }
/// }
/// ```
///
/// It works the same in Swift Testing and in XCTest, on the main actor and elsewhere, in as many
/// parallel tests as you like. In Swift Testing, the trait `.world` does the same for a whole test.
///
/// When the body returns, the world ends, and each of these fails the test with a line of its own:
///
/// - an event in the world's record or in a recorder, or work for a scheduler, that came from
///   outside the world;
/// - work that is still due, except the repeated work of a subscription;
/// - a stub that wasn't used, a request that no stub matched, and a request that still waits;
/// - what arrived off the main queue, or never ended, although the test expects otherwise;
/// - a recorder with events that nothing has read;
/// - a subscription that keeps itself alive, with its file and line.
///
/// The first of them names a picture of the run, if there's something to see; see
/// `World.writeRun(to:title:)`.
///
/// If the body throws, the test fails with the error, and for what may be its reason: events from
/// outside the world, and requests that no stub matched. The rest isn't reported, because it
/// follows from the early end.
///
/// All other subscriptions that were made in the world end with it, except those that the
/// initializer of a global or static variable has made.
///
/// ## After the end
///
/// Code that the test has started may go on after the world's end, such as a `Task`. If it makes a
/// request in a session of the world, the request fails with `URLError.cancelled`. In Swift
/// Testing, it's an issue of the test that started the task. If that isn't known, as in a thread,
/// it's one without a test, which fails the run. XCTest would count it for the test that happens to
/// run, so there it's printed to the standard error, and the status of the program is 1 when it
/// ends.
///
/// ## Outside a test
///
/// A program can run a world too, such as an exercise that checks an answer. It has no test that
/// could fail, so pass `onProblem` to receive what would fail one. Without it, each problem is
/// printed to the standard error, and the program exits with status 1 when it ends, whatever status
/// it asked for.
///
/// - Parameters:
///   - schedule: The order of events at one instant, such as `600ms:1`, as
///     `expectSameInEveryOrder` prints it; `nil` for the usual order. If it doesn't fit the run,
///     the test fails.
///   - moves: Other times for what the test decides, such as `GET /search?q=sw to 300ms`; see
///     `Moves`. One that isn't possible fails the test.
///   - tasks: Whether tasks that start in the world belong to it.
///   - onProblem: Receives the problems of this world, on any thread, and the failures of
///     `expectMarbles` and other expectations of this library that the body's task calls. They
///     don't fail the test then. If `nil`, they do.
///   - fileID: The file to show for problems that don't have a place of their own.
///   - filePath: The path of that file.
///   - line: The line to show for them.
///   - column: The column to show for them.
///   - body: The test. It gets the world, which is `World.current` meanwhile.
/// - Returns: The result of the body.
/// - Throws: The error that the body throws.
public func withWorld<Result>(
  schedule: String? = nil, moving moves: Moves = [], tasks: World.Tasks = .inside,
  onProblem: (@Sendable (World.Problem) -> Void)? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) throws -> Result
) rethrows -> Result {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try IssueReporter.$current.withValue(reporter(onProblem)) {
    try inWorld(
      order(schedule, at: location), read(moves, at: location), tasks: tasks, at: location, body)
  }
}

/// Runs a test in a world with an order.
///
/// - Parameters:
///   - prepare: Called with the world before the body.
///   - atEnd: Called with the world when the body has returned, before the world ends.
func inWorld<Result>(
  _ order: Schedule?, _ moves: [Move] = [], tasks: World.Tasks = .inside,
  at location: SourceLocation,
  prepare: (World) -> Void = { _ in },
  _ body: (World) throws -> Result, atEnd: (World) -> Void = { _ in }
) rethrows -> Result {
  let run = FailedRun(at: location)
  let world = World(at: location, run, order, moves, tasks)
  defer {
    world.close()
    run?.end()
  }
  prepare(world)
  let result: Result
  do {
    result = try FailedRun.$current.withValue(run) { try world.enter { try body(world) } }
  } catch {
    letMainQueueWork()
    world.endAndReport(at: location, run, isCutShort: true)
    throw error
  }
  letMainQueueWork()
  atEnd(world)
  world.endAndReport(at: location, run)
  return result
}

/// The order of a schedule. If that can't be read, this reports why.
private func order(_ schedule: String?, at location: SourceLocation) -> Schedule? {
  guard let schedule else { return nil }
  do {
    return try Schedule(parsing: schedule)
  } catch {
    reportIssue("\(error)", at: location)
    return nil
  }
}

/// The moves that texts describe. One that can't be read is reported.
private func read(_ moves: Moves, at location: SourceLocation) -> [Move] {
  moves.texts.compactMap { text in
    do {
      return try Move(parsing: text)
    } catch {
      reportIssue("\(error)", at: location)
      return nil
    }
  }
}

/// Runs an asynchronous test in a virtual world. The one for a synchronous
/// test explains the rules.
///
/// Before the world ends, the main queue runs the work that it has, so that events from there are
/// seen.
///
/// The body is a task of the world, as are the tasks that it starts: see `World`. While the body
/// awaits something, tasks run and time moves, until it goes on. If nothing in the world can bring
/// what it waits for, and nothing outside does for five seconds, the test fails and is cancelled.
///
/// - Parameters:
///   - schedule: The order of events at one instant, such as `600ms:1`; `nil` for the usual order.
///   - moves: Other times for what the test decides; see `Moves`.
///   - tasks: Whether tasks that start in the world belong to it.
///   - waits: What happens while the body awaits something.
///   - onProblem: Receives the problems of this world instead of the test, on any thread; `nil` if
///     they fail the test.
///   - isolation: The actor of the caller, which the body runs on.
///   - fileID: The file to show for problems that don't have a place of their own.
///   - filePath: The path of that file.
///   - line: The line to show for them.
///   - column: The column to show for them.
///   - body: The test. It gets the world, which is `World.current` meanwhile.
/// - Returns: The result of the body.
/// - Throws: The error that the body throws.
public func withWorld<Result>(
  schedule: String? = nil, moving moves: Moves = [], tasks: World.Tasks = .inside,
  waits: World.Waits = .moveTime, onProblem: (@Sendable (World.Problem) -> Void)? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ body: (World) async throws -> Result
) async rethrows -> Result {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await IssueReporter.$current.withValue(
    reporter(onProblem),
    operation: {
      try await inWorld(
        order(schedule, at: location), read(moves, at: location), tasks: tasks, waits: waits,
        isolation: isolation, at: location, body)
    }, isolation: isolation)
}

/// Runs an asynchronous test in a world with an order.
func inWorld<Value, Failure: Error>(
  _ order: Schedule?, _ moves: [Move] = [], tasks: World.Tasks = .inside,
  waits: World.Waits = .moveTime, isolation: isolated (any Actor)? = #isolation,
  at location: SourceLocation, prepare: (World) -> Void = { _ in },
  _ body: (World) async throws(Failure) -> Value, atEnd: (World) -> Void = { _ in }
) async throws(Failure) -> Value {
  let onMain = isolation.map { $0 === MainActor.shared }
  let result = await World.driving(isolation: isolation) {
    let run = FailedRun(at: location)
    let world = World(at: location, run, order, moves, tasks)
    defer {
      world.close()
      run?.end()
    }
    prepare(world)
    let (result, isReported) = await FailedRun.$current.withValue(
      run, operation: { await WaitWatch.run(world, waits, onMain: onMain, at: location, body) },
      isolation: isolation)
    await waitForMainQueue()
    if case .success = result { atEnd(world) }
    // What's left over follows from the error, or from the wait that never ended.
    var isCutShort = isReported
    if case .failure = result { isCutShort = true }
    world.endAndReport(at: location, run, isCutShort: isCutShort)
    return result
  }
  return try result.get()
}

private func waitForMainQueue(isolation: isolated (any Actor)? = #isolation) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// The reporter of a world's problems: the given closure, or else that of the code around.
private func reporter(_ onProblem: (@Sendable (World.Problem) -> Void)?) -> IssueReporter {
  guard let onProblem else { return .current }
  return IssueReporter { message, location in
    onProblem(World.Problem(message: message, source: .init(location)))
  }
}

/// Lets the main queue run the blocks that it holds, if it can.
///
/// A test of Swift Testing on the main actor holds the main queue until it returns or awaits. So
/// does one that waits for a task that calls this. Then the blocks run later.
private func letMainQueueWork() {
  if !MainQueueMark.isHere {
    LentMainQueue.sync {}
  } else if Thread.isMainThread {
    let hasRun = Locked(false)
    DispatchQueue.main.async { hasRun.withLock { $0 = true } }
    // A turn of the run loop may serve a timer, or whatever has woken it, and not the queue.
    for _ in 1...16 where !hasRun.withLock({ $0 }) {
      _ = RunLoop.main.run(mode: .default, before: .distantPast)
    }
  }
}

extension World {
  /// Makes the world of a test.
  ///
  /// - Parameters:
  ///   - location: The place to show for problems during the test.
  ///   - run: Where the run is written if it fails; `nil` for nowhere.
  ///   - order: The order of events at one instant.
  ///   - moves: Other times for what the test decides.
  ///   - tasks: Whether it runs tasks.
  convenience init(
    at location: SourceLocation, _ run: FailedRun? = nil, _ order: Schedule? = nil,
    _ moves: [Move] = [], _ tasks: World.Tasks = .inside
  ) {
    let reported = Locked<Set<String>>([])
    // Taken now, because a problem can show on a thread that doesn't know this task's reporter.
    let reporter = IssueReporter.current
    let report: @Sendable (String) -> Void = { message in
      // Streams repeat their mistakes.
      guard reported.withLock({ $0.insert(message).inserted }) else { return }
      reporter.report(message.naming(run), location)
    }
    // Time in a test is short. With the clock's default limits, a timer that never ends would be
    // reported only after ten seconds and more.
    self.init(
      runner: QueuedActionList(onFailure: report),
      limits: .init(actionsInOneChain: 100_000, actionsInOneCall: 1_000_000), order: order,
      moves: moves, tasks: tasks,
      label: { place in
        switch place {
        case .world: nil
        case .queue(let name): name
        case .outside: "outside the world"
        }
      }, takeSite: { CallSite() }, onFailure: report,
      onLateRequest: LateRequests(of: location, reporter).report)
    if !moves.isEmpty { network.allowOtherRequests() }
    LeftSubscribers.watch(self)
    run?.begin(self)
  }

  /// Ends the world, and fails the test for each problem that shows then.
  ///
  /// - Parameters:
  ///   - location: The place to show for problems without one of their own.
  ///   - run: Where the run is written if it fails; `nil` for nowhere.
  ///   - isCutShort: Whether the test stopped early. Then what it left over isn't reported, because
  ///     it follows from that.
  func endAndReport(
    at location: SourceLocation, _ run: FailedRun? = nil, isCutShort: Bool = false
  ) {
    let findings = end()
    for problem in findings.mistakes + (isCutShort ? [] : findings.leftovers) {
      let place = problem.source.map {
        SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: 1)
      }
      reportIssue(problem.message.naming(run), at: place ?? location)
    }
    let misfit = isCutShort ? clock.scheduleMisfit : clock.scheduleProblem
    if let misfit { reportIssue(misfit.naming(run), at: location) }
    for problem in clock.script.problems { reportIssue(problem.naming(run), at: location) }
  }
}

extension String {
  /// The failure, and below it the file that shows its run, if that's not named by an earlier one.
  fileprivate func naming(_ run: FailedRun?) -> String {
    run?.note().map { "\(self)\n\($0)" } ?? self
  }
}
