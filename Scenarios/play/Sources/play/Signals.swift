import Dispatch
import Foundation

/// The signals that end a program: Ctrl-C, an end from outside, and a terminal that was closed.
enum Signals {
  /// Waits for one, does something, and ends this program.
  static func end(after cleanUp: () async -> Void) async {
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      // Without a handler it would end the program at once. Programs that this one starts don't
      // inherit it.
      signal(number) { _ in }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.activate()
      return source
    }
    for await number in signals {
      await cleanUp()
      // As a shell has it for a program that a signal has ended.
      exit(128 + number)
    }
    for source in sources { source.cancel() }
  }
}
