import Foundation
import ServerTestSupport
import Synchronization

/// Ends this program and all programs that it has started when it receives SIGINT (Ctrl-C), SIGTERM
/// or SIGHUP.
enum Interruption {
  /// Held while a program starts, so that none starts after the others were killed.
  private static let starting = Mutex(())
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  static func endAllPrograms() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        starting.withLock { _ -> Void in
          // `Program` and `TemporaryFolder` clean up at the exit.
          exit(128 + number)
        }
      }
      source.resume()
      sources.withLock { $0.append(source) }
    }
  }

  static func start(_ path: URL, _ arguments: [String]) throws -> Program {
    try starting.withLock { _ in try Program(path, arguments) }
  }

  static func startServer() throws -> RunningServer {
    try starting.withLock { _ in try RunningServer() }
  }
}
