import Foundation
import Synchronization

/// The terminal of a program that reads keys one by one, and draws on a screen of its own.
///
/// When the program ends, in whichever way, ``TerminalUndo`` makes the terminal what it was before.
/// While the program is stopped, the terminal is that too: signals only write their number into a
/// pipe, and ``nextByte(isAtOnce:redraw:)`` reacts when nothing is being drawn.
struct TerminalScreen {
  private let program: Program
  /// The file for ``TerminalUndo``.
  private let terminal = TerminalUndo.open(STDOUT_FILENO)
  /// The end of the pipe to read from.
  private let signals: Int32

  /// The end of the pipe that handlers write to.
  private static let wake = Atomic<Int32>(-1)

  /// Changes to the screen.
  ///
  /// - Returns: `nil` if that isn't possible.
  init?(_ program: Program) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.program = program
    signals = ends[0]
    Self.wake.store(ends[1], ordering: .relaxed)
    guard begin() else { return nil }
    for signal in [SIGTSTP, SIGCONT, SIGWINCH] { Self.follow(signal) }
  }

  /// Changes back to the terminal as it was.
  func end() { TerminalUndo.perform() }

  /// Reads a byte.
  ///
  /// - Parameters:
  ///   - isAtOnce: Whether it has to come at once, because it belongs to the same key as the last.
  ///   - redraw: Draws the screen again, because its size or its content may have changed.
  /// - Returns: `nil` if there's none.
  func nextByte(isAtOnce: Bool, redraw: () -> Void) -> UInt8? {
    while true {
      var files = [STDIN_FILENO, signals].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // The rest of a key's sequence may take a moment.
      let count = poll(&files, 2, isAtOnce ? 50 : -1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return nil }
      if files[1].revents != 0 {
        if let signal = Self.byte(from: signals), !react(to: Int32(signal)) { return nil }
        redraw()
        continue
      }
      guard let byte = Self.byte(from: STDIN_FILENO) else { return nil }
      // Control and Z, which stops all programs of the command, as on other screens.
      guard byte == 0x1A else { return byte }
      kill(0, SIGTSTP)
    }
  }

  private static func byte(from descriptor: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count == 1 { return byte }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  // MARK: The screen

  private func begin() -> Bool {
    var former = termios()
    guard tcgetattr(STDIN_FILENO, &former) == 0 else { return false }
    TerminalUndo.note(TerminalUndo(descriptor: terminal, text: "", settings: former))
    // In the background, the program is stopped here until it has the terminal.
    takeKeys()
    // The screen of before, with its cursor.
    TerminalUndo.note(
      TerminalUndo(
        descriptor: terminal, text: "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l", settings: former))
    program.write("\u{1B}[?1049h\u{1B}[?25l")
    return true
  }

  /// Makes keys come at once, and not be shown. None of them ends, stops or halts the program.
  private func takeKeys() {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  // MARK: Signals

  /// Writes the numbers of a signal into the pipe from now on, unless the program ignores it.
  private static func follow(_ signal: Int32) {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0, action.place != .ignored else { return }
    action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      let code = errno
      var byte = UInt8(signal)
      // If the pipe is full, there's enough in it.
      _ = write(TerminalScreen.wake.load(ordering: .relaxed), &byte, 1)
      errno = code
    }
    sigemptyset(&action.sa_mask)
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// Stops the program, or puts up the screen again.
  ///
  /// - Returns: Whether there's a screen.
  private func react(to signal: Int32) -> Bool {
    switch signal {
    case SIGTSTP:
      end()
      Foundation.signal(SIGTSTP, SIG_DFL)
      // It ends here, and goes on from here.
      raise(SIGTSTP)
      Self.follow(SIGTSTP)
      return begin()
    case SIGCONT:
      // Nothing can handle SIGSTOP, and a shell may have changed the settings after it.
      takeKeys()
      program.write("\u{1B}[?25l")
      return true
    default: return true
    }
  }
}
