import Foundation

// A scenario that traps prints one line, and no backtrace.
setenv("SWIFT_BACKTRACE", "enable=no", 1)

let interrupts = endOnInterrupts()
TrialCommand.main()
