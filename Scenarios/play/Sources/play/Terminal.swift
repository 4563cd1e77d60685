import Foundation

/// What a terminal shows of the program: how far a build is, on a line that changes, and then how
/// that went.
struct Terminal {
  /// Whether lines can change.
  private let canChange = isatty(STDERR_FILENO) == 1

  func show(_ state: PlayState) {
    switch state.state {
    case .building:
      if canChange { write("building… \(state.step ?? "")") }
    case .running:
      write("built in \(state.seconds ?? 0) s\n")
    case .broken, .failed:
      write("\(state.message ?? "")\n")
    }
  }

  private func write(_ text: String) {
    // From the start of the line, whose rest goes.
    FileHandle.standardError.write(Data(((canChange ? "\r\u{1B}[K" : "") + text).utf8))
  }
}
