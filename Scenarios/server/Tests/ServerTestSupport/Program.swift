import Foundation
import Synchronization

/// A program that the tests have started, and its output so far.
///
/// It's killed when this object is released, or at the latest when the tests end.
package final class Program: Sendable {
  /// The outcome of a program.
  package struct Result: Equatable {
    /// The exit code. If a signal ended the program, its negated number, such as -9.
    package let status: Int32
    package let stdout: String
    package let stderr: String

    package init(status: Int32, stdout: String, stderr: String) {
      self.status = status
      self.stdout = stdout
      self.stderr = stderr
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  // `@unchecked`: once the process runs, this only reads properties that don't change any more.
  private struct Handle: @unchecked Sendable {
    let process: Process

    func signal(_ number: Int32) {
      guard process.isRunning else { return }
      Foundation.kill(process.processIdentifier, number)
    }
  }

  /// All programs that were started. Those that still run when the tests end are killed, because
  /// `deinit` doesn't run for programs in `static` properties.
  private static let started: Mutex<[Handle]> = {
    atexit { Program.started.withLock { for handle in $0 { handle.signal(SIGKILL) } } }
    return Mutex([])
  }()

  /// Kills all programs that still run, and ends this one. No thread can start another in between.
  package static func killAll(exitCode: Int32) -> Never {
    started.withLock { handles in
      for handle in handles { handle.signal(SIGKILL) }
      // Without `exit`, because other threads still use what `exit` would take away.
      _exit(exitCode)
    }
  }

  private let handle: Handle
  private let ended = DispatchSemaphore(value: 0)
  private let output: LineReader
  private let errors: LineReader

  package init(_ path: URL, _ arguments: [String], in folder: URL? = nil) throws {
    guard FileManager.default.isExecutableFile(atPath: path.path) else {
      throw Failure(description: "no executable at \(path.path)")
    }
    let process = Process()
    process.executableURL = path
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = FileHandle.nullDevice
    let (stdout, stderr) = (Pipe(), Pipe())
    process.standardOutput = stdout
    process.standardError = stderr
    process.terminationHandler = { [ended] _ in ended.signal() }
    let handle = Handle(process: process)
    try Self.started.withLock {
      try process.run()
      $0.append(handle)
    }
    self.handle = handle
    output = LineReader(stdout)
    errors = LineReader(stderr)
  }

  deinit { kill() }

  package var isRunning: Bool { handle.process.isRunning }

  /// The identifier of the process.
  package var processID: Int32 { handle.process.processIdentifier }

  /// Returns the next line of output; `nil` if the program ends or `patience` runs out first.
  package func nextLine(patience: DispatchTimeInterval = .seconds(60)) -> String? {
    output.nextLine(until: .now() + patience)
  }

  /// Sends SIGTERM.
  package func terminate() { signal(SIGTERM) }

  /// Sends SIGKILL.
  package func kill() { signal(SIGKILL) }

  package func signal(_ number: Int32) { handle.signal(number) }

  /// Waits until the program ends, but no longer than an interval.
  ///
  /// - Returns: Whether it has ended.
  package func hasEnded(within interval: DispatchTimeInterval) -> Bool {
    guard ended.wait(timeout: .now() + interval) == .success else { return false }
    ended.signal()
    return true
  }

  /// The most memory that the program has used so far, in bytes, with the processes that it has
  /// started; `nil` after its end.
  package var peakMemory: Int? { Self.peakMemoryOfTree(processID) }

  private static func peakMemoryOfTree(_ process: Int32) -> Int? {
    guard let memory = ServerTestSupport.peakMemory(of: process) else { return nil }
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let children = threads.flatMap { thread in
      ((try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { Int32($0) }
    }
    return children.reduce(memory) { $0 + (peakMemoryOfTree($1) ?? 0) }
  }

  /// Waits until the program ends. Kills it and throws if `patience` runs out.
  package func result(patience: DispatchTimeInterval = .seconds(60)) throws -> Result {
    let deadline = DispatchTime.now() + patience
    guard ended.wait(timeout: deadline) == .success else {
      kill()
      throw Failure(
        description: "the program didn't end; stdout: \(output.text), stderr: \(errors.text)")
    }
    ended.signal()
    output.waitForEnd(until: deadline)
    errors.waitForEnd(until: deadline)
    let status = handle.process.terminationStatus
    return Result(
      status: handle.process.terminationReason == .uncaughtSignal ? -status : status,
      stdout: output.text, stderr: errors.text)
  }
}

/// Returns the most memory that a process has used so far, in bytes; `nil` if it has ended.
package func peakMemory(of process: Int32) -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
    // Such as `VmHWM:     44512 kB`.
    let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
  else { return nil }
  return kilobytes * 1024
}

/// Reads a pipe to the end, on a thread of its own.
private final class LineReader: Sendable {
  private struct State {
    var bytes = Data()
    var isAtEnd = false
    var firstUnread = 0
  }

  private let state = Mutex(State())
  // Signalled at each chunk and at the end.
  private let changed = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ pipe: Pipe) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      // `availableData` is empty only at the end.
      while case let chunk = handle.availableData, !chunk.isEmpty {
        state.withLock { $0.bytes.append(chunk) }
        changed.signal()
      }
      try? handle.close()
      state.withLock { $0.isAtEnd = true }
      changed.signal()
      ended.signal()
    }
  }

  var text: String { String(decoding: state.withLock { $0.bytes }, as: UTF8.self) }

  func nextLine(until deadline: DispatchTime) -> String? {
    while true {
      let (line, isAtEnd) = state.withLock { state -> (String?, Bool) in
        let unread = state.bytes.dropFirst(state.firstUnread)
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
          return (nil, state.isAtEnd)
        }
        state.firstUnread = end + 1
        return (String(decoding: unread[..<end], as: UTF8.self), state.isAtEnd)
      }
      if let line { return line }
      if isAtEnd || changed.wait(timeout: deadline) == .timedOut { return nil }
    }
  }

  func waitForEnd(until deadline: DispatchTime) {
    if ended.wait(timeout: deadline) == .success { ended.signal() }
  }
}
