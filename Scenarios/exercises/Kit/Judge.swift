// The library declares its `stdout` as a variable.
@preconcurrency import Glibc
import StreamsTesting

/// Says whether an answer is right, and proves that it's the check that says so.
///
/// The learner's code runs in the same process. It may print anything, and it may end the process
/// with any status. So the script that runs it passes a secret on the standard input, and accepts
/// only a verdict between two lines with that secret, in a file of its own.
struct Judge: Sendable {
  /// The descriptor of that file.
  private static let file: Int32 = 3

  /// The secret; `nil` if a person runs the program.
  private let secret: String?

  /// Reads the secret, before the learner's code runs. Nothing can read it again.
  init() {
    guard CommandLine.arguments.contains("--verdict") else {
      secret = nil
      return
    }
    secret = String(
      decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    // What's printed before a crash is shown too, as on a terminal.
    setvbuf(stdout, nil, _IOLBF, 0)
  }

  /// Separates what the learner's code prints with one input from what it prints with the next, for
  /// the script.
  func separateOutput() {
    guard secret != nil else { return }
    print("\u{1E}")
  }

  /// Shows a screen, and ends the program.
  func end(_ screen: String, isRight: Bool) -> Never {
    guard let secret else {
      print(screen)
      exit(isRight ? 0 : 1)
    }
    fflush(nil)
    let lines = [secret, screen, "\(secret) \(isRight ? "right" : "wrong")"]
    FileHandle(fileDescriptor: Self.file).write(Data((lines.joined(separator: "\n") + "\n").utf8))
    // At once, because the learner's code may still run on other threads.
    _exit(0)
  }
}
