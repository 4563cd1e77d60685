import Dispatch
import Foundation
import Streams

/// Slows down the thread of all sessions while a program waits for a server.
///
/// On Linux, a session watches until its socket can be written, and it goes on watching after the
/// request was sent. A socket can nearly always be written, so the session's thread never sleeps.
/// Nothing in a session's interface ends this.
///
/// But all sessions of a process share one serial queue. So this is one more session without tasks.
/// When asked for its tasks, it calls its delegate queue from that queue, which takes a nap there.
/// A response that arrives meanwhile waits for as long.
final class SessionBrake: Sendable {
  static let shared = SessionBrake()

  /// The length of a nap.
  private static let nap: TimeInterval = 0.005

  /// Runs its operations on the thread that adds them, each after a nap.
  private final class NappingQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      Thread.sleep(forTimeInterval: SessionBrake.nap)
      block()
    }
  }

  /// Decides when a chain of naps begins and ends, so that there's one at most.
  struct Chain {
    private var holders = 0
    private var isRunning = false

    /// - Returns: Whether to begin a chain of naps.
    mutating func addHolder() -> Bool {
      holders += 1
      defer { isRunning = true }
      return !isRunning
    }

    mutating func removeHolder() { holders -= 1 }

    /// Call this after each nap.
    ///
    /// - Returns: Whether to take one more. If not, the chain has ended.
    mutating func goesOn() -> Bool {
      isRunning = holders > 0
      return isRunning
    }
  }

  private let session: URLSession
  private let chain = Locked(Chain())
  private let pause = DispatchQueue(label: "brake")

  private init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    session = URLSession(
      configuration: configuration, delegate: nil, delegateQueue: NappingQueue())
  }

  /// Makes the sessions' thread nap, again and again, until a body returns.
  func hold<Result>(during body: () -> Result) -> Result {
    if chain.withLock({ $0.addHolder() }) { nap() }
    defer { chain.withLock { $0.removeHolder() } }
    return body()
  }

  private func nap() {
    session.getAllTasks { [self] _ in
      // Asked again from here, the session's queue would never be empty, and no other one would
      // run.
      pause.async { [self] in
        if chain.withLock({ $0.goesOn() }) { nap() }
      }
    }
  }
}
