import Foundation
import TestSupport
import Testing

/// A terminal for a program of the tests, with the other end in the test.
final class PseudoTerminal {
  /// The test's end.
  private let end: Int32
  /// Kept open, so that the terminal keeps its settings when no program uses it.
  private let terminal: Int32
  /// The name of its file.
  let path: String
  private var bytes: [UInt8] = []

  init(columns: UInt16 = 80, rows: UInt16 = 40) throws {
    end = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // The names of these requests aren't visible in Swift: TIOCSPTLCK and TIOCGPTN.
    let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    var (isLocked, number): (Int32, Int32) = (0, 0)
    try #require(ioctl(end, unlock, &isLocked) == 0 && ioctl(end, getNumber, &number) == 0)
    path = "/dev/pts/\(number)"
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(terminal)
    close(end)
  }

  /// Changes the size. A program in the foreground gets a signal.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(end, UInt(TIOCSWINSZ), &size)
  }

  /// Presses keys.
  func type(_ keys: String) {
    _ = Array(keys.utf8).withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
  }

  /// The settings, as text.
  var settings: String {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return "\(settings)"
  }

  /// Reads until the program writes a text that it hasn't written since the last call.
  ///
  /// - Returns: What it has written since then.
  @discardableResult
  func read(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.firstRange(of: wanted) == nil {
      var file = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
      // Only a failure takes this long.
      try #require(poll(&file, 1, 120_000) > 0, "\(self.text) has no \(text)")
      let count = Foundation.read(end, &buffer, buffer.count)
      try #require(count > 0, "\(self.text) has no \(text)")
      bytes += buffer[..<count]
    }
    defer { bytes = [] }
    return self.text
  }

  /// Reads all that programs have written.
  func readRest() throws -> String {
    // What's written to a terminal arrives later, but in order.
    let mark = "<end of \(path)>"
    _ = Array(mark.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    return String(try read(until: mark).dropLast(mark.count))
  }

  private var text: String {
    String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  // MARK: Programs

  /// Starts a program, with the terminal as its three files, in a group of its own.
  ///
  /// - Parameter isOwner: Whether the terminal belongs to it, so that it gets the terminal's own
  ///   signals. Nothing can stop it then.
  /// - Returns: Its process, for ``wait(for:)``.
  func start(_ name: String, _ arguments: [String], isOwner: Bool = false) throws -> pid_t {
    let program = builtProduct(name).path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for file: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, file, path, O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of tests block signals, and a program would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int32 = 0x80
    let flags = POSIX_SPAWN_SETSIGMASK | (isOwner ? newSession : POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let environment = childEnvironment(
      of: ProcessInfo.processInfo.environment.merging(
        ["TERM": "xterm", "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 })
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    try #require(
      posix_spawn(&process, program, &actions, &attributes, &words, &variables) == 0)
    return process
  }

  /// How a program ended, or stopped.
  enum End: Hashable {
    case exit(Int32)
    case signal(Int32)
    case stop(Int32)
  }

  /// Waits until a program ends or stops.
  static func wait(for process: pid_t) -> End {
    var status: Int32 = 0
    while waitpid(process, &status, WUNTRACED) < 0, errno == EINTR {}
    return switch status & 0x7F {
    case 0: .exit(status >> 8 & 0xFF)
    case 0x7F: .stop(status >> 8 & 0xFF)
    case let signal: .signal(signal)
    }
  }
}

/// Runs a body on a thread of its own, because it waits for programs, and tests share threads.
func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
