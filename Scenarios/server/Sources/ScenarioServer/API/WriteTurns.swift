import Foundation
import TodoAPI

/// Lets one change at a time into the database, and none while one is blocked by another program.
///
/// `@unchecked`: the state is behind the condition.
final class WriteTurns: @unchecked Sendable {
  private let condition = NSCondition()
  private var isTaken = false
  private var isBlocked = false

  /// Runs a change when it's its turn.
  ///
  /// - Throws: `TodoStoreIsBusy` if the change before it is blocked.
  func take<Value>(_ change: () throws -> Value) throws -> Value {
    try begin()
    defer { end() }
    return try change()
  }

  /// Refuses the changes that wait for their turn, and further ones until the present one ends.
  func block() {
    condition.withLock {
      isBlocked = true
      condition.broadcast()
    }
  }

  private func begin() throws {
    try condition.withLock {
      while isTaken, !isBlocked { condition.wait() }
      guard !isTaken else { throw TodoStoreIsBusy() }
      isTaken = true
    }
  }

  private func end() {
    condition.withLock {
      isTaken = false
      isBlocked = false
      condition.signal()
    }
  }
}
