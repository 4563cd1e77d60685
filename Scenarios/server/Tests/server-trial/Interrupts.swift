import Dispatch
import Foundation
import ServerTestSupport

/// Makes Ctrl-C and SIGTERM end the scenarios and this program.
///
/// A function, because closures in `main.swift` belong to the main thread, which waits for the
/// runs.
///
/// - Returns: The sources of the signals. Keep them.
func endOnInterrupts() -> [any DispatchSourceSignal] {
  [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { Program.killAll(exitCode: 128 + number) }
    source.resume()
    return source
  }
}
