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

  private let session: URLSession
  private let holders = Locked(0)
  private let pause = DispatchQueue(label: "brake")

  private init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    session = URLSession(
      configuration: configuration, delegate: nil, delegateQueue: NappingQueue())
  }

  /// Makes the sessions' thread nap, again and again, until a body returns.
  func hold<Result>(during body: () -> Result) -> Result {
    let isFirst = holders.withLock { holders in
      defer { holders += 1 }
      return holders == 0
    }
    defer { holders.withLock { $0 -= 1 } }
    if isFirst { nap() }
    return body()
  }

  private func nap() {
    session.getAllTasks { [self] _ in
      // Asked again from here, the session's queue would never be empty, and no other one would run.
      pause.async { [self] in
        if holders.withLock({ $0 > 0 }) { nap() }
      }
    }
  }
}
