import Dispatch
import Foundation
import Streams

/// Ends the program soon after its time limit, if its runs with a server haven't ended by
/// themselves.
///
/// A run looks at the limit between two callbacks. But one of them may take forever, or a call of a
/// session may.
final class Watchdog: Sendable {
  private struct State {
    var isStopped = false
    var standstill: String?
  }

  /// How much longer than the limit the runs may take, in seconds.
  private static let grace = 2
  private let limit: TimeLimit
  private let program: Program
  private let state = Locked(State())

  /// Starts to watch.
  init(_ limit: TimeLimit, _ program: Program) {
    self.limit = limit
    self.program = program
    let thread = Thread {
      Thread.sleep(forTimeInterval: TimeInterval(limit.remainingSeconds + Self.grace))
      self.endProgram()
    }
    thread.name = "time limit"
    thread.start()
  }

  /// The reaction to a standstill. It's only noted, because a session may keep the world waiting
  /// while a server sends without a pause.
  var standstill: Standstill {
    // Reported before this ends the program, unless it begins later than half of the limit.
    Standstill(patience: .seconds(max(1, min(10, limit.seconds / 4)))) { problem in
      self.state.withLock { $0.standstill = problem }
    }
  }

  /// Stops watching, because the runs are over. Writing the output may take any time.
  func stop() { state.withLock { $0.isStopped = true } }

  private func endProgram() {
    // The lock keeps the program from writing its output meanwhile.
    state.withLock { state in
      if state.isStopped { return }
      let activity = World.activity.withLock { $0 }
      let standstill =
        Program.isWriting.withLock { $0 }
        ? "the program that reads the output is slow" : state.standstill
      program.printError(limit.problem(during: activity, standstill: standstill))
      program.exitAtOnce(.failure)
    }
  }
}

/// When the main thread reports a standstill, and to whom.
struct Standstill: Sendable {
  /// The longest time between two turns of the main thread.
  let patience: DispatchTimeInterval
  /// Called with one line.
  let report: @Sendable (String) -> Void
}
