import Foundation

/// The running program, as those who started it see it: what it writes, and how it ends.
struct Program {
  enum Status: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
  }

  /// Stands before each complaint.
  let name: String

  /// Writes all of a text to the standard output, or ends the program with a line that says why it
  /// could not.
  func write(_ text: String) {
    guard let problem = write(text, to: STDOUT_FILENO) else { return }
    complain("cannot write the output: \(problem)")
    exit(.failure)
  }

  /// Writes a line that says what is wrong to the standard error.
  func complain(_ problem: String) {
    _ = write("\(name): \(problem)\n", to: STDERR_FILENO)
  }

  func exit(_ status: Status) -> Never { Foundation.exit(status.rawValue) }

  /// - Returns: Why not all of it could be written; `nil` if it was.
  private func write(_ text: String, to descriptor: Int32) -> String? {
    // A reader that has gone is reported as an error, not by a signal that ends the program.
    signal(SIGPIPE, SIG_IGN)
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
