import Foundation
import Timeline

/// The running program, seen from outside: its output and its exit status.
struct Program {
  enum Status: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
    /// The user pressed Ctrl-C. Shells use 128 and the signal's number.
    case interrupted = 130
  }

  /// The program's name, which begins each error.
  let name: String

  /// Prepares the process. Call it first.
  func begin() {
    // If the reader has gone, writing fails instead of ending the program.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes a whole text to the standard output. If that fails, it ends the program with an error.
  func write(_ text: String) {
    guard let problem = Self.write(text, to: STDOUT_FILENO) else { return }
    fail("can't write the output: \(problem)")
  }

  /// Writes a problem to the standard error, after the program's name. Control characters other
  /// than line breaks are escaped, because a part of the text may come from a server. On a
  /// terminal, lines end between words.
  func printError(_ problem: String) {
    let width = Terminal(STDERR_FILENO, environment: [:]).width
    // A line of progress may be in the way.
    let start = width == nil ? "" : "\r\u{1B}[K"
    let lines = "\(name): \(problem)".split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { String($0).onOneLine.folded(to: width) }
    writeError("\(start)\(lines.joined(separator: "\n"))\n")
  }

  /// Writes a text to the standard error as it is.
  func writeError(_ text: String) {
    _ = Self.write(text, to: STDERR_FILENO)
  }

  /// Writes a problem to the standard error, and ends the program.
  func fail(_ problem: String) -> Never {
    printError(problem)
    exit(.failure)
  }

  /// Does something that's run many times. What it prints outside of a world is dropped, such as in
  /// a `deinit` after its world.
  static func withoutOutput<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (output, nowhere) = (dup(STDOUT_FILENO), open("/dev/null", O_WRONLY))
    dup2(nowhere, STDOUT_FILENO)
    defer {
      fflush(nil)
      dup2(output, STDOUT_FILENO)
      close(output)
      close(nowhere)
    }
    return try body()
  }

  func exit(_ status: Status) -> Never { Foundation.exit(status.rawValue) }

  /// Writes a whole text to a file.
  ///
  /// - Returns: Why that failed, in the system's words; `nil` if it didn't.
  static func write(_ text: String, to descriptor: Int32) -> String? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return String(cString: strerror(errno))
      }
    }
    return nil
  }
}
