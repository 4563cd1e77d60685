import Foundation
import NIOPosix
import Synchronization

/// Threads that only hash passwords, with a bounded queue in front of them.
///
/// A hash takes about half a second of a processor. On threads of their own, hashes never delay
/// requests that need no password. The threads also have a low priority, so that the system prefers
/// all other threads to them. The queue is bounded in all and per client, so one client
/// can't fill it.
final class PasswordThreads: Sendable {
  private struct Waiting {
    var all = 0
    var byClient: [ClientAddress: Int] = [:]
  }

  private let limits: Limits
  private let threads: NIOThreadPool
  private let waiting = Mutex(Waiting())

  /// Starts the threads.
  init(limits: Limits) {
    self.limits = limits
    threads = NIOThreadPool(numberOfThreads: limits.passwordThreads)
    threads.start()
  }

  /// Ends the threads. Passwords that still wait aren't hashed: their calls throw.
  func close() async { try? await threads.shutdownGracefully() }

  /// Runs some work on one of the threads, once it's this client's turn.
  ///
  /// - Throws: ``Overload`` if the queue is full.
  func run<Result: Sendable>(
    for client: ClientAddress, _ work: @escaping @Sendable () -> Result
  ) async throws -> Result {
    try enter(client)
    defer { leave(client) }
    return try await threads.runIfActive {
      Self.lowerPriority()
      return work()
    }
  }

  private func enter(_ client: ClientAddress) throws(Overload) {
    let overload = waiting.withLock { waiting -> Overload? in
      // The client's own share first, because that's what the client can do something about.
      guard waiting.byClient[client, default: 0] < limits.waitingPasswordsPerClient else {
        return .tooManyAtOnce
      }
      guard waiting.all < limits.waitingPasswords else { return .busy }
      waiting.all += 1
      waiting.byClient[client, default: 0] += 1
      return nil
    }
    if let overload { throw overload }
  }

  private func leave(_ client: ClientAddress) {
    waiting.withLock { waiting in
      waiting.all -= 1
      waiting.byClient[client, default: 1] -= 1
      if waiting.byClient[client] == 0 { waiting.byClient[client] = nil }
    }
  }

  /// Gives the calling thread a low priority. On Linux, a priority belongs to a thread.
  ///
  /// Not the lowest: at 19, a thread on a busy machine may rest for seconds while it holds a lock
  /// that others need. At 10, it gets a ninth of the time that another thread gets.
  private static func lowerPriority() {
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
    #endif
  }
}
