import Dispatch
import Foundation
import Streams
import StreamsFoundation

/// The queued actions of a world in a test: they wait in a list, and run while the clock settles.
///
/// An action for the main queue runs right here if this is the main queue, as in a test on the main
/// actor. If not, the main queue runs it, and this thread waits. That's the thread of the test, so
/// the main queue isn't waiting for it.
///
/// An action for another queue is sent there, and this thread waits. It isn't run with `sync`,
/// because that would keep the main queue's identity in a test on the main actor, and code that
/// forgets to go to the main queue wouldn't trap.
package final class QueuedActionList: QueuedActionRunner {
  private struct Entry {
    let action: QueuedAction
    let enter: @Sendable (() -> Void) -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    /// The name of the queue whose action runs now.
    var running: String?
    /// The names of the queues that took too long.
    var blocked: Set<String> = []
  }

  /// The greatest number of actions in one round.
  private static let limit = 100_000
  private let patience: DispatchTimeInterval
  private let onFailure: @Sendable (String) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - patience: How long an action may take by the wall clock, except on the main queue.
  ///   - onFailure: Called with one line if it takes longer, or if actions never end.
  package init(
    patience: DispatchTimeInterval = .seconds(10), onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.patience = patience
    self.onFailure = onFailure
  }

  package func send(
    _ action: QueuedAction, entering enter: @escaping @Sendable (() -> Void) -> Void
  ) {
    // The action is run by one thread at a time, and passed on under the lock.
    nonisolated(unsafe) let entry = Entry(action: action, enter: enter)
    state.withLock { $0.waiting.append(entry) }
  }

  package func settle() -> Bool {
    var count = 0
    while true {
      let batch = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      guard !batch.isEmpty else { return count > 0 }
      for entry in batch { run(entry) }
      count += batch.count
      guard count < Self.limit else {
        onFailure(
          "\(count) actions were sent to queues at one instant, and more are coming: does a stream "
            + "feed itself through a queue?")
        drop()
        return false
      }
    }
  }

  package func runPart(isMain: Bool, label: String?, _ part: @escaping @Sendable () -> Void) {
    let outer = state.withLock { state in
      defer { state.running = label }
      return state.running
    }
    defer { state.withLock { $0.running = outer } }
    if isMain == MainQueueMark.isHere { return part() }
    if isMain { return LentMainQueue.sync(part) }
    // As with actions, code that forgets to go to the main actor must trap.
    guard Thread.isMainThread && RunLoopDriver.isMoving else {
      return LentMainQueue.wait(for: part, on: Self.offMain)
    }
    // The part may be a test of XCTest, which needs the run loop.
    let isDone = Locked(false)
    Self.offMain.async {
      part()
      isDone.withLock { $0 = true }
      DispatchQueue.main.async {}
    }
    while !isDone.withLock({ $0 }) {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
    }
  }

  private static let offMain = DispatchQueue(label: "tasks of worlds", attributes: .concurrent)

  package var hasWaitingActions: Bool { state.withLock { !$0.waiting.isEmpty } }

  package func drop() {
    let dropped = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    // Released here, outside the lock.
    for entry in dropped { entry.action.drop() }
  }

  package func place(isInside: () -> Bool) -> RunningPlace {
    guard isInside() else { return .outside }
    return state.withLock { $0.running }.map { .queue($0) } ?? .world
  }

  private func run(_ entry: Entry) {
    let label = entry.action.label
    let outer = state.withLock { state in
      defer { state.running = label }
      return state.running
    }
    defer { state.withLock { $0.running = outer } }
    if !entry.action.isMain {
      wait(for: entry.action.send(entering: entry.enter), label)
    } else if MainQueueMark.isHere {
      entry.enter { entry.action.run() }
    } else {
      // This thread waits, so only one thread uses the action at a time.
      nonisolated(unsafe) let action = entry.action
      let enter = entry.enter
      LentMainQueue.sync { enter { action.run() } }
    }
  }

  private func wait(for isDone: DispatchSemaphore, _ label: String) {
    // Waiting again for each action could take hours.
    if state.withLock({ $0.blocked.contains(label) }) { return }
    if isDone.wait(timeout: .now() + patience) == .success { return }
    // A debugger may have stopped all threads during that time, so wait once more.
    if isDone.wait(timeout: .now() + patience) == .success { return }
    state.withLock { _ = $0.blocked.insert(label) }
    onFailure(
      "the queue \"\(label)\" has been blocked for too long, so the test goes on without it: is it "
        + "suspended, or does its work wait for the main queue?")
  }
}
