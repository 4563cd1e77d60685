import Foundation
import StreamsTesting
import XCTest

// The file imports no Swift Testing, as one of a user's may not.

private let found = """
  300ms  out  value swift  [main]

  """

private func debounced(in world: World) -> String {
  let text = PassthroughSubject<String, Never>()
  let recorder = world.record(
    text.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main), as: "out")
  text.send("swift")
  world.run()
  _ = recorder
  return world.timeline.recording.filter { event in
    if case .value = event.kind { true } else { false }
  }.transcript()
}

final class ScopedFunctionXCTests: XCTestCase {
  func testSynchronous() {
    withWorld { world in
      XCTAssertEqual(debounced(in: world), found)
      _ = world.transcript
    }
  }

  func testAsynchronous() async {
    await withWorld { world in
      await Task.yield()
      XCTAssertEqual(debounced(in: world), found)
      _ = world.transcript
    }
  }

  @MainActor func testOnTheMainActor() {
    withWorld { world in
      XCTAssertEqual(debounced(in: world), found)
      _ = world.transcript
    }
  }

  @MainActor func testAsynchronousOnTheMainActor() async {
    await withWorld { world in
      await Task.yield()
      XCTAssertEqual(debounced(in: world), found)
      _ = world.transcript
    }
  }

  /// The main thread runs the blocks that it holds before the world ends, also if its run loop has
  /// something else to do first.
  func testAsyncOnTheMainQueueIsReported() {
    for wakesMainThread in [false, true] {
      let log = Messages()
      IssueReporter.$current.withValue(IssueReporter { message, _ in log.append(message) }) {
        withWorld { world in
          let subject = PassthroughSubject<Int, Never>()
          subject.recorded(as: "out", on: world.timeline).sink { _ in }
            .store(in: &world.cancellables)
          DispatchQueue.main.async { subject.send(1) }
          guard wakesMainThread else { return }
          let hasWoken = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            RunLoop.main.add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .default)
            hasWoken.signal()
          }
          hasWoken.wait()
        }
      }
      XCTAssertEqual(
        log.all.map { String($0.prefix(52)) },
        ["\"value 1\" in the lane out came from outside the worl"])
    }
  }
}

final class WorldTestCaseXCTests: WorldTestCase {
  private var subscription: AnyCancellable?

  override func setUp() async throws {
    XCTAssertEqual(try World.current.clock.now, .zero)
  }

  override func tearDown() {
    subscription = nil
  }

  func testSynchronous() throws {
    let world = try World.current
    XCTAssertEqual(debounced(in: world), found)
    _ = world.transcript
    subscription = PassthroughSubject<Int, Never>().sink { _ in }
  }

  func testAsynchronous() async throws {
    let world = try World.current
    await Task.yield()
    XCTAssertEqual(debounced(in: world), found)
    _ = world.transcript
  }

  @MainActor func testOnTheMainActor() throws {
    let world = try World.current
    XCTAssertEqual(debounced(in: world), found)
    _ = world.transcript
  }

  @MainActor func testAsynchronousOnTheMainActor() async throws {
    let world = try World.current
    await Task.yield()
    XCTAssertEqual(debounced(in: world), found)
    _ = world.transcript
  }

  /// Work that's due later doesn't run.
  func testWaitsMoveTime() async throws {
    let world = try World.current
    let later = world.clock.schedule(after: .seconds(900), interval: .seconds(1)) {
      XCTFail("the test is over")
    }
    try await world.swiftClock.sleep(for: .seconds(1))
    let text = await Task.detached { await MainActor.run { "main" } }.value
    XCTAssertEqual(text, "main")
    for await value in Just(1).delay(for: .seconds(1), scheduler: DispatchQueue.main).values {
      XCTAssertEqual(value, 1)
    }
    XCTAssertEqual(world.clock.now, .seconds(2))
    later.cancel()
  }

  @MainActor func testATaskOfASynchronousTest() throws {
    let world = try World.current
    let log = Messages()
    Task {
      try await world.swiftClock.sleep(for: .seconds(1))
      log.append("main at \(world.clock.now)")
      await Task.detached { log.append("detached at \(world.clock.now)") }.value
    }
    world.run()
    XCTAssertEqual(log.all, ["main at 1s", "detached at 1s"])
  }
}

private final class Messages: @unchecked Sendable {
  private let lock = NSLock()
  private var messages: [String] = []

  func append(_ message: String) { lock.withLock { messages.append(message) } }

  var all: [String] { lock.withLock { messages } }
}
