import Dispatch
import Foundation
import Streams

/// A run with a server, in a child process of the same program.
///
/// Foundation traps on some responses, for example if a server closes the connection within the
/// head. Nothing in the same process can prevent that. So the run happens in a child, with the same
/// arguments and the same standard output. The parent waits, and turns a trap into one line.
///
/// The child's standard input is a pipe from the parent. It ends when the parent does, and then the
/// child ends too.
enum ChildProcess {
  private static let variable = "STREAM_SCENARIOS_PARENT"

  /// How much longer than the time limit a child may take, in seconds. It should end by itself.
  private static let grace = 5

  /// Whether this process is such a child.
  static var isCurrent: Bool {
    ProcessInfo.processInfo.environment[variable] == "\(getppid())"
  }

  /// Ends this process when its parent ends.
  static func endWithParent() {
    let thread = Thread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
      _exit(1)
    }
    thread.name = "parent"
    thread.start()
  }

  /// Runs the program again in a child, and ends as the child does.
  static func run(_ program: Program, until limit: TimeLimit) -> Never {
    let child: (process: pid_t, errors: Int32)
    do {
      child = try start()
    } catch {
      program.printError("can't start a process for the run: \(error)")
      program.exit(.failure)
    }
    let isStopped = Locked(false)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit.seconds + grace)) {
      isStopped.withLock { $0 = true }
      kill(child.process, SIGKILL)
    }
    let errors = readAll(child.errors)
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
    // The lower seven bits hold the signal that ended the process, if one did.
    if status & 0x7F == 0 {
      program.writeError(errors)
      Foundation.exit(status >> 8 & 0xFF)
    }
    program.printError(
      isStopped.withLock { $0 }
        ? limit.problem(openRequests: [])
        : "URLSession on Linux traps on the server's response\(reason(errors)). "
          + "See docs/real-servers.md")
    program.exit(.failure)
  }

  /// The reason for a trap in parentheses, from the text that the runtime wrote.
  private static func reason(_ errors: String) -> String {
    guard let mark = errors.range(of: "Fatal error: ") else { return "" }
    let line = errors[mark.upperBound...].prefix { !$0.isNewline }.prefix(200)
    return " (\(line.last == "." ? line.dropLast() : line))"
  }

  /// Reads a text of at most 64 KiB, and ignores the rest.
  private static func readAll(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 || count < 0 && errno != EINTR { break }
      if count > 0, bytes.count < 1 << 16 { bytes += buffer[..<count] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private struct SystemError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
  }

  private static func check(_ code: Int32) throws {
    if code != 0 { throw SystemError(code: code) }
  }

  /// Starts the child.
  ///
  /// - Returns: The child, and a pipe from its standard error. The pipe to its standard input stays
  ///   open until this process ends.
  private static func start() throws -> (process: pid_t, errors: Int32) {
    var input: [Int32] = [0, 0]
    var errors: [Int32] = [0, 0]
    for result in [pipe(&input), pipe(&errors)] where result != 0 {
      throw SystemError(code: errno)
    }
    for end in input + errors { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO))
    try check(posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO))
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = "\(getpid())"
    // One line is enough, and a backtrace takes seconds.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    // The link itself would do too, but the child would be named after it.
    let link = "/proc/self/exe"
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    try check(posix_spawn(&process, path, &actions, nil, &arguments, &variables))
    close(input[0])
    close(errors[1])
    return (process, errors[0])
  }
}
