import Foundation
import Timeline

/// What the standard output shows: on a terminal, texts have colours and fit its width. In a pipe
/// and in a file, they have neither, so they are the same on each machine.
struct Terminal {
  /// The width in characters; `nil` if it isn't a terminal.
  let width: Int?
  /// The height in lines.
  let height: Int
  let style: TerminalStyle

  /// No terminal.
  static let plain = Terminal(width: nil, height: 24, style: .plain)

  /// The terminal of the standard output, if it's one, as it is now.
  static var standardOutput: Terminal {
    Terminal(STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)
  }

  /// Whether a reader can press keys, and see what they do.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  init(width: Int?, height: Int, style: TerminalStyle) {
    (self.width, self.height, self.style) = (width, height, style)
  }

  /// - Parameters:
  ///   - descriptor: The file to look at.
  ///   - environment: The variables. `NO_COLOR`, if it isn't empty, asks for no colours, as
  ///     https://no-color.org describes.
  init(_ descriptor: Int32, environment: [String: String]) {
    guard isatty(descriptor) == 1 else {
      self = .plain
      return
    }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = isKnown ? Int(size.ws_col) : 80
    height = isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
    let hasColours =
      (environment["NO_COLOR"] ?? "").isEmpty
      && !["", "dumb"].contains(environment["TERM"] ?? "")
    style = hasColours ? .coloured : .plain
  }
}
