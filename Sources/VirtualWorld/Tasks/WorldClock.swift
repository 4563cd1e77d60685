import Foundation
import Streams
import VirtualTime

/// The time of a world as a clock of Swift.
///
/// Pass it to code that takes `any Clock<Duration>`. Its time is zero when the world begins.
public struct WorldClock: Clock, Sendable {
  private let clock: VirtualTimeScheduler
  private let tasks: WorldTasks

  init(_ world: World) { (clock, tasks) = (world.clock, world.backend.tasks) }

  /// A moment of a world's time.
  public struct Instant: InstantProtocol {
    /// The same moment on the world's ``World/clock``.
    public let time: VirtualTime

    /// Returns the moment that's later by a duration.
    public func advanced(by duration: Duration) -> Self {
      let (seconds, attoseconds) = duration.components
      let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let sum = nanoseconds.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
      if nanoseconds.overflow || sum.overflow { return Self(time: seconds < 0 ? .zero : .max) }
      return Self(time: time.advanced(by: .nanoseconds(Int(sum.partialValue))))
    }

    /// Returns how much later another moment is.
    public func duration(to other: Self) -> Duration {
      .nanoseconds(time.distance(to: other.time).nanoseconds)
    }

    /// Whether a moment is earlier than another one.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.time < rhs.time }
  }

  /// The present moment.
  public var now: Instant { Instant(time: clock.now) }

  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the world's time is at a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment. If it has passed, this returns at once.
  ///   - tolerance: Isn't used: a world's time is exact.
  /// - Throws: `CancellationError`, as soon as the task is cancelled or the world ends. After that
  ///   end, it returns only if its task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline.time, nil)
  }

  /// Waits for a span of the world's time.
  ///
  /// - Parameters:
  ///   - duration: The span.
  ///   - tolerance: Isn't used: a world's time is exact.
  ///   - fileID: The file that a report of a sleep shows which is left at the end.
  ///   - filePath: The path of that file.
  ///   - line: The line that it shows.
  /// - Throws: `CancellationError`, as soon as the task is cancelled or the world ends. After that
  ///   end, it returns only if its task is cancelled.
  public func sleep(
    for duration: Duration, tolerance: Duration? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line
  ) async throws {
    try await sleep(
      until: now.advanced(by: duration).time,
      World.Problem.Source(fileID: fileID, filePath: filePath, line: line))
  }

  private func sleep(until end: VirtualTime, _ source: World.Problem.Source?) async throws {
    try Task.checkCancellation()
    // A loop that ignores the end of its sleep would go on forever, so later sleeps don't return.
    let isOver = tasks.hasEnded
    guard end > clock.now || isOver else { return }
    var sleep = TaskSleeps.Sleep(
      end: isOver ? .max : end, sleeper: tasks.current, source: source)
    let sleeper = Sleeper(tasks)
    if !isOver { sleep.wake = { sleeper.end(.failure(CancellationError())) } }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { [sleep] continuation in
        sleeper.begin(sleep, continuation)
      }
    } onCancel: {
      sleeper.end(.failure(CancellationError()))
    }
  }
}

/// A task that sleeps on a world's clock.
private final class Sleeper: Sendable {
  private struct State {
    var hasEnded = false
    var continuation: UnsafeContinuation<Void, any Error>?
    var number: Int?
    var token: (any Cancellable)?
  }

  private let tasks: WorldTasks
  private let state = Locked(State())

  init(_ tasks: WorldTasks) { self.tasks = tasks }

  func begin(_ sleep: TaskSleeps.Sleep, _ continuation: UnsafeContinuation<Void, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.hasEnded { state.continuation = continuation }
      return state.hasEnded
    }
    if isCancelled { return continuation.resume(throwing: CancellationError()) }
    let number = tasks.sleeps.begin(sleep)
    nonisolated(unsafe) let token = tasks.sleeps.schedule(at: sleep.end) { [self] in
      end(.success(()))
    }
    tasks.signal()
    let isLate = state.withLock { state in
      if !state.hasEnded { (state.token, state.number) = (token, number) }
      return state.hasEnded
    }
    if isLate {
      token.cancel()
      tasks.sleeps.end(number)
    }
  }

  func end(_ result: Result<Void, any Error>) {
    let (continuation, number, token) = state.withLock { state in
      defer {
        (state.hasEnded, state.continuation, state.token, state.number) = (true, nil, nil, nil)
      }
      return (state.continuation, state.number, state.token)
    }
    token?.cancel()
    if let number { tasks.sleeps.end(number) }
    continuation?.resume(with: result)
  }
}
