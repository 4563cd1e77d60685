import Foundation
import Synchronization

/// A program that the tests have started, and what it has printed so far.
///
/// It is killed, at the latest, when nobody holds this any longer, or the tests end.
final class Program: Sendable {
  /// What a program did from its start to its end.
  struct Result: Equatable {
    /// The exit code; below zero the signal that ended the program, as in -9.
    let status: Int32
    let stdout: String
    let stderr: String
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  // `@unchecked`: a process is only told to run here, and then asked for what never changes.
  private struct Handle: @unchecked Sendable {
    let process: Process

    func signal(_ number: Int32) {
      guard process.isRunning else { return }
      Foundation.kill(process.processIdentifier, number)
    }
  }

  /// All that were started. At the end those that still run are killed: what is `static` is held to
  /// the end, and nobody lets go of it then.
  private static let started: Mutex<[Handle]> = {
    atexit { Program.started.withLock { for handle in $0 { handle.signal(SIGKILL) } } }
    return Mutex([])
  }()

  private let handle: Handle
  private let ended = DispatchSemaphore(value: 0)
  private let output: LineReader
  private let errors: LineReader

  init(_ path: URL, _ arguments: [String], in folder: URL? = nil) throws {
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
    try process.run()
    handle = Handle(process: process)
    Self.started.withLock { [handle] in $0.append(handle) }
    output = LineReader(stdout)
    errors = LineReader(stderr)
  }

  deinit { kill() }

  /// The next line that it prints; `nil` if it ends, or the patience does.
  func nextLine(patience: DispatchTimeInterval = .seconds(60)) -> String? {
    output.nextLine(until: .now() + patience)
  }

  /// Asks it to end.
  func terminate() { signal(SIGTERM) }

  /// Ends it without asking.
  func kill() { signal(SIGKILL) }

  func signal(_ number: Int32) { handle.signal(number) }

  /// Waits for its end; it is killed if that does not come.
  func result(patience: DispatchTimeInterval = .seconds(60)) throws -> Result {
    let deadline = DispatchTime.now() + patience
    guard ended.wait(timeout: deadline) == .success else {
      kill()
      throw Failure(description: "did not end; stdout: \(output.text), stderr: \(errors.text)")
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

/// Reads a pipe to its end on a thread of its own.
private final class LineReader: Sendable {
  private struct State {
    var bytes = Data()
    var isAtEnd = false
    var firstUnread = 0
  }

  private let state = Mutex(State())
  // Signalled at each arrival and at the end.
  private let changed = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(_ pipe: Pipe) {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      // `availableData` is empty at the end only.
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
