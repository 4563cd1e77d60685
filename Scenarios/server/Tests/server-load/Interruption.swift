import Foundation
import ServerTestSupport
import Synchronization

/// Ends this program and all programs that it has started when it receives SIGINT (Ctrl-C), SIGTERM
/// or SIGHUP.
enum Interruption {
  /// Held while a program starts, so that none starts after the others were killed.
  private static let starting = Mutex(())

  /// Begins to listen for the signals.
  ///
  /// - Returns: The listeners. Keep them until the program ends.
  static func endAllPrograms() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        starting.withLock { _ -> Void in
          // `Program` and `TemporaryFolder` clean up at the exit.
          exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }

  static func start(_ path: URL, _ arguments: [String]) throws -> Program {
    try starting.withLock { _ in try Program(path, arguments) }
  }

  static func startServer() throws -> RunningServer {
    try starting.withLock { _ in try RunningServer() }
  }
}
