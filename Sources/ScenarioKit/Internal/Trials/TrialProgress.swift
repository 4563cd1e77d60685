import Foundation
import Synchronization

/// How far many runs have come. On a terminal, it's one line that is written over again and again.
///
/// Ctrl-C ends the runs early, and what was found until then is printed. A second Ctrl-C ends the
/// program.
final class TrialProgress {
  private let write: ((String) -> Void)?
  private let uptime: () -> UInt64
  private let start: UInt64
  private var lastShown: UInt64?
  private var runCount = 0
  private static let wasInterrupted = Atomic<Bool>(false)

  /// Makes a progress that begins now.
  ///
  /// - Parameters:
  ///   - write: Writes a text to the terminal; `nil` if there's none.
  ///   - uptime: Returns nanoseconds since any fixed moment.
  init(
    write: ((String) -> Void)?,
    uptime: @escaping () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
  ) {
    (self.write, self.uptime) = (write, uptime)
    start = uptime()
  }

  /// Makes the progress of a program, on the terminal of its standard error. From now on, Ctrl-C
  /// ends the runs and not the program.
  convenience init(of program: Program) {
    self.init(write: isatty(STDERR_FILENO) == 1 ? { program.writeError($0) } : nil)
    // A signal's handler mustn't be the first to use it.
    Self.wasInterrupted.store(false, ordering: .relaxed)
    signal(SIGINT) { _ in
      TrialProgress.wasInterrupted.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }

  /// Whether the user pressed Ctrl-C.
  var isInterrupted: Bool { Self.wasInterrupted.load(ordering: .relaxed) }

  /// Notes a run.
  ///
  /// - Parameters:
  ///   - outcomes: How many different outcomes there are so far.
  ///   - runsLeft: How many runs follow.
  ///   - isFinal: Whether no others will.
  func note(outcomes: Int, runsLeft: Int, isFinal: Bool) {
    runCount += 1
    guard let write else { return }
    let now = uptime()
    // Short trials show nothing.
    let next = lastShown.map { $0 + 100_000_000 } ?? start + 500_000_000
    guard now >= next else { return }
    lastShown = now
    let secondsLeft = Double(now - start) / 1e9 / Double(runCount) * Double(runsLeft)
    let left =
      isFinal ? "about \(Int(secondsLeft.rounded(.up))) s left" : "\(runsLeft) to go, and more"
    write("\r\(counted(runCount, "run")), \(counted(outcomes, "outcome")), \(left)\u{1B}[K")
  }

  /// Removes the line, before something else is written.
  func clear() {
    guard lastShown != nil else { return }
    write?("\r\u{1B}[K")
  }
}
