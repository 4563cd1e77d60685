import Dispatch
import Foundation

// Programs that still run at the exit are killed, so Ctrl-C has to lead there.
let interrupts = [SIGINT, SIGTERM].map { number in
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
  source.setEventHandler { exit(128 + number) }
  source.resume()
  return source
}

// A scenario that traps prints one line, and no backtrace.
setenv("SWIFT_BACKTRACE", "enable=no", 1)

TrialCommand.main()
