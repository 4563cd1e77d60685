import Foundation

/// The streams a program writes to, and how it ends.
enum StandardStream {
  case output
  case error

  enum Status: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
  }

  /// Writes all of a text, or ends the program with a line that says why it could not.
  func write(_ text: String) {
    // A reader that has gone is reported as an error, not by a signal that ends the program.
    signal(SIGPIPE, SIG_IGN)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        if self == .output {
          StandardStream.error.write(
            "cannot write the output: \(String(cString: strerror(errno)))\n")
        }
        StandardStream.exit(.failure)
      }
    }
  }

  static func exit(_ status: Status) -> Never { Foundation.exit(status.rawValue) }

  private var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
}
