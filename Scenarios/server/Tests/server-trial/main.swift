import Dispatch
import Foundation
import ServerTestSupport

// Ctrl-C ends the scenarios too.
let interrupts = [SIGINT, SIGTERM].map { number in
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
  source.setEventHandler { Program.killAll(exitCode: 128 + number) }
  source.resume()
  return source
}

// A scenario that traps prints one line, and no backtrace.
setenv("SWIFT_BACKTRACE", "enable=no", 1)

TrialCommand.main()
