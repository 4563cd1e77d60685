import Dispatch
import Foundation
import Streams
import Synchronization

/// A run with a server, in a child process of the same program.
///
/// Foundation traps on some responses, for example if a server closes the connection within the
/// head. Nothing in the same process can prevent that. So the run happens in a child, with the same
/// arguments and the same standard output. The parent waits, and turns a trap into one line.
///
/// The child's standard input is a pipe from the parent. The child closes it when its runs are
/// over. Until then, the parent ends a child that takes too long. The child's standard error is a
/// pipe to the parent, whose end is open as long as the parent lives. So the child watches that
/// pipe, and ends with its parent.
enum ChildProcess {
  private static let variable = "STREAM_SCENARIOS_PARENT"

  /// How much longer than the time limit the runs of a child may take, in seconds. They should end
  /// by themselves.
  private static let grace = 5

  // MARK: In the child

  /// Makes this process a child, if its environment says that it's one.
  ///
  /// Call it on the main thread, before there are others. It ends the program if the parent has
  /// ended.
  ///
  /// - Returns: Whether this process is a child.
  static func begin(_ program: Program) -> Bool {
    guard let value = getenv(variable) else { return false }
    let parent = String(cString: value)
    unsetenv(variable)
    // The parent may have ended before this one began. Then there may be no pipe to watch.
    if parent != "\(getppid())" {
      program.printError(
        "the process that began this run (\(parent.shown)) has ended. "
          + "If \(variable) is set in your shell, unset it")
      program.exitAtOnce(.failure)
    }
    watchParent()
    return true
  }

  /// Ends this process when its parent ends.
  private static func watchParent() {
    let thread = Thread {
      // Without other events, this waits for the other end of the pipe to close.
      var descriptor = pollfd(fd: STDERR_FILENO, events: 0, revents: 0)
      while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
      // Nothing can catch this signal, so a run that is stuck ends too.
      if !outlivesParent.load(ordering: .relaxed) { kill(getpid(), SIGKILL) }
    }
    thread.name = "parent"
    thread.start()
  }

  private static let outlivesParent = Atomic<Bool>(false)

  /// Tells the parent that the runs are over, so that writing the output may take any time.
  ///
  /// - Parameter writingFile: Whether the output is a file. The child then writes it even if the
  ///   parent ends.
  static func endRuns(writingFile: Bool) {
    if writingFile { outlivesParent.store(true, ordering: .relaxed) }
    // Otherwise the next open file would be the standard input.
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      close(null)
    } else {
      close(STDIN_FILENO)
    }
  }

  // MARK: In the parent

  /// Runs the program again in a child, and ends as the child does.
  static func run(_ program: Program, until limit: TimeLimit) -> Never {
    let child: Child
    do {
      child = try start()
    } catch {
      program.printError("can't start a process for the run: \(error)")
      program.exit(.failure)
    }
    let isStopped = Locked(false)
    let thread = Thread {
      if child.endsRuns(until: limit) { return }
      isStopped.withLock { $0 = true }
      kill(child.process, SIGKILL)
    }
    thread.name = "time limit"
    thread.start()
    var errors = child.passErrors(to: program)
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0 {
      if errno == EINTR { continue }
      program.printError("can't tell how the run ended: \(SystemError(code: errno))")
      program.exit(.failure)
    }
    // The lower seven bits hold the signal that ended the process, if one did.
    let number = status & 0x7F
    let (text, message) = errors.finish(isTrap: [SIGILL, SIGTRAP, SIGABRT].contains(number))
    program.writeError(text)
    if number == 0 { Foundation.exit(status >> 8 & 0xFF) }
    if isStopped.withLock({ $0 }) {
      program.printError(limit.problemFromOutside)
    } else if let message {
      program.printError(
        "URLSession on Linux traps on the server's response (\(message)). "
          + "See docs/real-servers.md")
    } else {
      // An overflow in a library traps without a message.
      let isSilent = [SIGILL, SIGTRAP].contains(number) && !errors.hasFatalError
      program.printError(
        "the run was ended by signal \(number) (\(name(ofSignal: number)))"
          + (isSilent
            ? " without a message. Some responses make URLSession on Linux do that. "
              + "See docs/real-servers.md" : ""))
    }
    program.exit(.failure)
  }

  private static func name(ofSignal number: Int32) -> String {
    let names = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
      SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE",
      SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
      SIGSYS: "SIGSYS",
    ]
    return names[number] ?? String(cString: strsignal(number))
  }

  /// A child, and the parent's ends of its pipes.
  private struct Child {
    let process: pid_t
    /// The end to write to. The parent never does, and only looks whether the other end is open.
    let input: Int32
    let errors: Int32

    /// Waits until the child's runs are over, or until a while after the limit.
    ///
    /// - Returns: Whether they're over.
    func endsRuns(until limit: TimeLimit) -> Bool {
      while true {
        // Without other events, this waits for the other end of the pipe to close.
        var descriptor = pollfd(fd: input, events: 0, revents: 0)
        let count = poll(&descriptor, 1, Int32((limit.remainingSeconds + grace) * 1_000))
        if count >= 0 || errno != EINTR { return count != 0 }
      }
    }

    /// Passes the child's standard error on, until the child closes it.
    ///
    /// - Returns: The text that wasn't passed on.
    func passErrors(to program: Program) -> ChildErrors {
      var text = ChildErrors()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(errors, &buffer, buffer.count)
        if count > 0 {
          program.writeError(text.receive(buffer[..<count]))
        } else if count == 0 || errno != EINTR {
          return text
        }
      }
    }
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
  /// The parent's ends of the pipes stay open until this process ends.
  private static func start() throws -> Child {
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
    environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    func spawn(_ path: String) -> Int32 {
      posix_spawn(&process, path, &actions, nil, &arguments, &variables)
    }
    // The link itself always works, but the child would be named after it. The path doesn't if the
    // program was deleted or built again.
    let link = "/proc/self/exe"
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    if path.map(spawn) != 0 { try check(spawn(link)) }
    close(input[0])
    close(errors[1])
    return Child(process: process, input: input[1], errors: errors[0])
  }
}
