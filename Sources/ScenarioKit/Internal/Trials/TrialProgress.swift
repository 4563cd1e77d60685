import Foundation
import Synchronization
import VirtualWorld

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
  /// The part that the present runs belong to.
  private var part = (name: "", isLast: true)
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
    signal(SIGINT) { signal in
      let isSecond = TrialProgress.wasInterrupted.exchange(true, ordering: .relaxed)
      guard isSecond else { return }
      Foundation.signal(signal, SIG_DFL)
      raise(signal)
    }
  }

  /// Whether the user pressed Ctrl-C.
  var isInterrupted: Bool { Self.wasInterrupted.load(ordering: .relaxed) }

  /// Begins a part.
  func begin(_ name: String, isLast: Bool) { part = ("\(name), ", isLast) }

  /// Notes the last run of some trials.
  func note<Ending>(_ trials: Trials<Ending>) {
    note(
      trials.place, outcomes: trials.findings.count, runsLeft: trials.runsLeft.count,
      isFinal: trials.runsLeft.isFinal)
  }

  /// Notes a run.
  ///
  /// - Parameters:
  ///   - place: Where in the part it belongs, such as `fault 2 of 9`.
  ///   - outcomes: How many different outcomes the part has so far.
  ///   - runsLeft: How many runs follow for certain.
  ///   - isFinal: Whether there won't be others.
  func note(_ place: String? = nil, outcomes: Int, runsLeft: Int, isFinal: Bool) {
    runCount += 1
    guard let write else { return }
    let now = uptime()
    // Short trials show nothing.
    let next = lastShown.map { $0 + 100_000_000 } ?? start + 500_000_000
    guard now >= next else { return }
    lastShown = now
    let secondsLeft = Double(now - start) / 1e9 / Double(runCount) * Double(runsLeft)
    let left =
      if isFinal, part.isLast {
        "about \(Int(secondsLeft.rounded(.up))) s left"
      } else {
        runsLeft > 0 ? "\(counted(runsLeft, "run")) to go, and more" : "more to go"
      }
    let place = part.name + (place.map { "\($0), " } ?? "")
    let count = "\(counted(runCount, "run")), \(counted(outcomes, "outcome"))"
    write("\r\(place)\(count), \(left)\u{1B}[K")
  }

  /// Removes the line, before something else is written.
  func clear() {
    guard lastShown != nil else { return }
    write?("\r\u{1B}[K")
  }
}
