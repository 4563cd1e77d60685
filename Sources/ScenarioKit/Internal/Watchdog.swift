import Dispatch
import Foundation
import Streams

/// Ends the program soon after its time limit, if its runs with a server haven't ended by
/// themselves, and as soon as they have taken too much memory.
///
/// A run looks at the time limit between two callbacks. But one of them may take forever, or a call
/// of a session may. And a session keeps some bytes to itself, such as the body of a redirect.
final class Watchdog: Sendable {
  private struct State {
    var isStopped = false
    var standstill: String?
  }

  /// How much longer than the limit the runs may take, in seconds.
  private static let grace = 2
  /// The most memory that the runs may take, in bytes.
  private static let memory = 256 << 20
  private let limit: TimeLimit
  private let program: Program
  private let state = Locked(State())

  /// Starts to watch.
  init(_ limit: TimeLimit, _ program: Program) {
    self.limit = limit
    self.program = program
    let thread = Thread {
      let end = limit.seconds + Self.grace
      let memoryBefore = Self.memoryInUse
      while limit.elapsedSeconds < end {
        Thread.sleep(forTimeInterval: 0.1)
        if Self.memoryInUse - memoryBefore > Self.memory {
          self.endProgram(
            because: "the run took more than \(Self.memory >> 20) MiB of memory")
        }
      }
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

  /// The memory that this process has now, in bytes.
  private static var memoryInUse: Int {
    // The second number is the memory that's resident, in pages.
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = numbers.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// - Parameter reason: The reason; `nil` if it's the time limit.
  private func endProgram(because reason: String? = nil) {
    // The lock keeps the program from writing its output meanwhile.
    state.withLock { state in
      if state.isStopped { return }
      let activity = World.activity.withLock { $0 }
      let standstill =
        Program.isWriting.withLock { $0 }
        ? "the program that reads the output is slow" : state.standstill
      program.printError(limit.problem(during: activity, standstill: standstill, because: reason))
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
