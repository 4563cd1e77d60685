import Streams
import TestSupport

/// Runs of scenarios that several tests look at. Each command runs once.
enum Runs {
  private static let tasks = Locked<[[String]: Task<ExecutableResult, any Error>]>([:])

  /// The result of a command, which prints the same in each run.
  static func result(of scenario: String, _ arguments: [String]) async throws -> ExecutableResult {
    let command = [scenario] + arguments
    let task = tasks.withLock { tasks in
      let task = tasks[command] ?? Task { try await runExecutable(scenario, arguments: arguments) }
      tasks[command] = task
      return task
    }
    return try await task.value
  }

  static func result(of scenario: String, _ arguments: String...) async throws -> ExecutableResult {
    try await result(of: scenario, arguments)
  }
}
