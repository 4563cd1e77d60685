import Foundation
import Streams
import StreamsFoundation
import TestSupport
import Testing

@testable import StreamsTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that await something that only happens when time moves.
@Suite(.hangLimit) struct WaitingTests {
  private static let cure =
    "Call world.run() before the wait: with world.record(_:), or between makeAsyncIterator() and "
    + "next()"

  /// The problems of a body whose wait is noticed after three turns.
  private func problemsOfWait(
    _ turns: Turns = .free, isolation: isolated (any Actor)? = #isolation, idleTurns: Int = 10_000,
    sourceLocation: SourceLocation = #_sourceLocation, in body: (World) async throws -> Void
  ) async rethrows -> [String] {
    try await WaitWatch.$patience.withValue(patience(turns, idleTurns: idleTurns)) {
      try await problems(.outside, sourceLocation: sourceLocation, in: body)
    }
  }

  private func patience(_ turns: Turns, idleTurns: Int) -> WaitWatch.Patience {
    // Other tests run at the same time, so the process is never idle.
    WaitWatch.Patience(
      lonelyTurns: 3, turns: 3, idleTurns: idleTurns, idleLoad: .infinity,
      pause: { try await turns.pause() })
  }

  private func report(_ reason: String, at line: Int) -> String {
    "WaitingTests.swift:\(line): the test waits, and nothing moves time while it does: \(reason). "
      + Self.cure
  }

  @Test func aLoopOverADelayedStreamFails() async {
    var received: [Int] = []
    let line = #line + 2
    let found = await problemsOfWait { _ in
      let delayed = Just(1).delay(for: .milliseconds(300), scheduler: DispatchQueue.main)
      for await value in delayed.values { received.append(value) }
      received.append(-1)
    }
    // The work has the line that subscribes.
    let work = "work is due at 300ms, scheduled at WaitingTests.swift:\(line + 1)"
    #expect(found == [report(work, at: line + 1)])
    // The loop ended, because its task was cancelled.
    #expect(received == [-1])
  }

  @MainActor @Test func aLoopOnTheMainActorFailsToo() async {
    let found = await problemsOfWait { world in
      for await _ in world.cold("--a|").values {}
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("work is due at 2ms") == true)
  }

  @Test(arguments: [
    (false, "the network hasn't settled"),
    (true, "request 1 (GET https://example.com/user) goes on at 5ms"),
  ])
  func aWaitForARequestFails(isSent: Bool, reason: String) async {
    let line = #line + 1
    let found = await problemsOfWait { world in
      let url = "https://example.com/user"
      world.network.stub(.get, url, responses: .text("Ada", after: .milliseconds(5)))
      world.session.dataTask(with: URL(string: url)!) { _, _, _ in }.resume()
      if isSent { world.settle() }
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
    }
    #expect(found == [report(reason, at: line)])
  }

  @Test func aWaitForWorkOnAQueueFails() async {
    let line = #line + 1
    let found = await problemsOfWait { _ in
      for await _ in Just(1).receive(on: DispatchQueue.main).values {}
    }
    #expect(found == [report("work for a queue hasn't run", at: line)])
  }

  @Test func aWaitForASubjectThatSendsNothingFails() async {
    let line = #line + 1
    let found = await problemsOfWait(idleTurns: 5) { _ in
      for await _ in PassthroughSubject<Int, Never>().values {}
    }
    #expect(
      found == [
        "WaitingTests.swift:\(line): the test waits, and nothing is left to do in its world: no task "
          + "can go on, no work is due, and no request is open. Send what it waits for before the wait, "
          + "and end a loop over values with a completion or with prefix(_:)"
      ])
  }

  /// Only its own code can end such a wait. Here, it does after the second report.
  @Test func aWaitThatIgnoresItsCancellationIsReportedAgain() async {
    let log = CallLog()
    let end = Locked<CheckedContinuation<Void, Never>?>(nil)
    let line = #line + 6
    let reporter = IssueReporter { message, location in
      log.append("\(location.line): \(message)")
      if log.lines.count == 2 { end.withLock { $0.take() }?.resume() }
    }
    let patience = patience(.free, idleTurns: 5)
    await IssueReporter.$current.withValue(reporter) {
      await WaitWatch.$patience.withValue(patience) {
        await withWorld(tasks: .outside, line: line) { _ in
          await withCheckedContinuation { continuation in end.withLock { $0 = continuation } }
        }
      }
    }
    #expect(log.lines.count == 2)
    #expect(log.lines.first?.hasPrefix("\(line): the test waits") == true)
    #expect(
      log.lines.last == "\(line): the test was cancelled, and it doesn't end: something in it "
        + "ignores the cancellation, such as a loop, or a continuation that's never resumed. Nothing "
        + "can end it from outside, so stop the tests")
  }

  @Test func aWaitThatCannotBeCancelledIsReportedToo() async {
    let end = Locked<CheckedContinuation<Void, Never>?>(nil)
    let found = await problemsOfWait { world in
      world.clock.schedule(after: .milliseconds(7)) {}
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in end.withLock { $0 = continuation } }
      } onCancel: {
        end.withLock { $0.take() }?.resume()
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("work is due at 7ms") == true)
  }

  @Test func theErrorOfACancelledWaitPasses() async throws {
    await #expect(throws: CancellationError.self) {
      try await problemsOfWait { world in
        world.clock.schedule(after: .milliseconds(7)) {}
        try await Task.sleep(for: .seconds(900))
      }
    }
  }

  /// A test that moves time or schedules work now and then may wait.
  @Test(arguments: [false, true])
  func eachMoveOfTimeAndEachWorkBeginsTheCountAnew(movesTime: Bool) async {
    let turns = Turns()
    let found = await problemsOfWait(turns) { world in
      func schedule() {
        world.clock.schedule(after: .seconds(900), interval: .seconds(1)) {}
          .store(in: &world.cancellables)
      }
      schedule()
      for _ in 0..<10 {
        await turns.take(2)
        if movesTime { world.advance(by: .milliseconds(1)) } else { schedule() }
      }
    }
    #expect(found == [])
  }

  @Test func aWaitThatBeginsLaterFailsToo() async {
    let turns = Turns()
    let found = await problemsOfWait(turns) { world in
      await turns.take(20)
      #expect(!Task.isCancelled)
      turns.setFree()
      for await _ in world.cold("--a|").values {}
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("work is due at 2ms") == true)
  }

  @Test(arguments: [false, true])
  func aTestMayWaitForSomethingElse(hasBackgroundWork: Bool) async {
    let turns = Turns()
    let found = await problemsOfWait(turns) { world in
      await turns.take(20)
      #expect(!Task.isCancelled)
      world.clock.schedule(
        after: .milliseconds(1), tolerance: .zero, options: .init(background: hasBackgroundWork)
      ) {}
      if !hasBackgroundWork { world.run() }
      await turns.take(20)
      #expect(!Task.isCancelled)
    }
    #expect(found == [])
  }

  @Test(.world) func aLoopReadsWhatABufferHolds() async throws {
    let world = try World.current
    let values = world.cold("-1-2|", ["1": 1, "2": 2])
      .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
      .values
    var iterator = values.makeAsyncIterator()
    world.run()
    var received: [Int] = []
    while let value = await iterator.next() { received.append(value) }
    #expect(received == [1, 2])
  }
}

/// The turns of a watch. A test takes them itself, so it needs no time, or lets them pass by the
/// clock.
private final class Turns: Sendable {
  static let free: Turns = {
    let turns = Turns()
    turns.setFree()
    return turns
  }()

  private let (asked, ask) = AsyncStream<Void>.makeStream()
  private let (allowed, allow) = AsyncStream<Void>.makeStream()

  /// What the watch awaits before each turn.
  func pause() async throws {
    ask.yield()
    var iterator = allowed.makeAsyncIterator()
    if await iterator.next() == nil { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// Lets the watch take turns, and waits until it has judged the last one.
  func take(_ count: Int) async {
    var iterator = asked.makeAsyncIterator()
    _ = await iterator.next()
    for _ in 0..<count {
      allow.yield()
      _ = await iterator.next()
    }
    ask.yield()
  }

  /// From now on, turns pass by the clock.
  func setFree() { allow.finish() }
}
