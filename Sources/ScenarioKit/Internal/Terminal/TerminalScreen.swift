import Foundation
import Synchronization

/// The terminal of a program that reads keys one by one, and draws on a screen of its own.
///
/// Ctrl-C and Ctrl-Z come as keys. A signal from elsewhere that ends the program makes the terminal
/// what it was before.
struct TerminalScreen {
  private let program: Program

  /// The settings to go back to. Set before a signal's handler can read them.
  nonisolated(unsafe) private static var former = termios()
  private static let isShown = Atomic(false)
  /// Whether the window has another size, or the program goes on after it was stopped.
  private static let hasChanged = Atomic(false)
  /// Shows the screen of before, with its cursor.
  private static let end: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// Changes to the screen.
  ///
  /// - Returns: `nil` if there's no terminal.
  init?(_ program: Program) {
    guard tcgetattr(STDIN_FILENO, &Self.former) == 0 else { return nil }
    self.program = program
    // A signal's handler mustn't be the first to use them.
    Self.hasChanged.store(false, ordering: .relaxed)
    Self.isShown.store(false, ordering: .relaxed)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
      signal(number) { number in
        TerminalScreen.giveBack()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    for number in [SIGCONT, SIGWINCH] {
      signal(number) { _ in TerminalScreen.hasChanged.store(true, ordering: .relaxed) }
    }
    // Also if writing fails.
    atexit { TerminalScreen.giveBack() }
    begin()
  }

  /// Changes back to the terminal as it was.
  func end() { Self.giveBack() }

  /// Reads a byte.
  ///
  /// - Parameters:
  ///   - isAtOnce: Whether it has to come at once, because it belongs to the same key as the last.
  ///   - redraw: Draws the screen again, because its size or its content may have changed.
  /// - Returns: `nil` if there's none.
  func nextByte(isAtOnce: Bool, redraw: () -> Void) -> UInt8? {
    while true {
      if Self.hasChanged.exchange(false, ordering: .relaxed) {
        begin()
        redraw()
      }
      var file = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // The rest of a key's sequence may take a moment. A signal may come right before this wait,
      // so no wait is long.
      let count = poll(&file, 1, isAtOnce ? 50 : 200)
      if count < 0, errno == EINTR { continue }
      if count == 0, !isAtOnce { continue }
      var byte: UInt8 = 0
      guard count > 0, read(STDIN_FILENO, &byte, 1) == 1 else { return nil }
      // Control and Z, which stops all programs of the command, as on other screens.
      guard byte == 0x1A else { return byte }
      end()
      kill(0, SIGTSTP)
      begin()
      redraw()
    }
  }

  /// Makes keys come at once, and not be shown, and hides the cursor. No key ends or stops the
  /// program by itself.
  private func begin() {
    var settings = Self.former
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON)
    Self.isShown.store(true, ordering: .relaxed)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    program.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Makes the terminal what it was, once. It may run in a signal's handler, so it only makes
  /// system calls.
  private static func giveBack() {
    guard isShown.exchange(false, ordering: .relaxed) else { return }
    _ = write(STDOUT_FILENO, end.utf8Start, end.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, &former)
  }
}
