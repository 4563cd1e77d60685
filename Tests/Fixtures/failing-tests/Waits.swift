import StreamsTesting
import Testing

/// Lets the worlds of a test wait for a short time only.
struct ImpatientTrait: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A turn with nothing to do is idle, however much the process does.
    let patience = WaitWatch.Patience(
      lonelyTurns: 3, turns: 3, idleTurns: 3, idleLoad: .infinity
    ) {
      try await Task.sleep(for: .milliseconds(10))
    }
    try await WaitWatch.$patience.withValue(patience) { try await function() }
  }
}

/// Waits that ignore their cancellation, so the process never ends.
@Suite(ImpatientTrait(), .world(waits: .moveNoTime), .serialized) struct WaitsThatNeverEnd {
  private static let held = Locked<[CheckedContinuation<Void, Never>]>([])

  @Test func forNothing() async {
    await withCheckedContinuation { continuation in Self.held.withLock { $0.append(continuation) } }
  }

  @Test func withWork() async throws {
    let world = try World.current
    world.clock.schedule(after: .seconds(1)) {}
    await withCheckedContinuation { continuation in Self.held.withLock { $0.append(continuation) } }
  }
}
