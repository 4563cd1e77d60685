import Foundation
import Synchronization

/// A program that the tests have started. It's killed when this object is released, or at the
/// latest when the tests end.
///
/// `@unchecked`: one thread reads the output, and the process doesn't change once it runs.
final class Program: @unchecked Sendable {
  /// The outcome of a program.
  struct Result: Equatable {
    /// The exit code. If a signal ended the program, its negated number, such as -9.
    var status: Int32
    var stdout = ""
    var stderr = ""
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The processes so far. `deinit` doesn't run for programs in `static` properties.
  private static let started: Mutex<[pid_t]> = {
    atexit { Program.started.withLock { for process in $0 { Foundation.kill(process, SIGKILL) } } }
    return Mutex([])
  }()

  private let process = Process()
  private let output = Pipe()
  private let errors: URL
  private let folder: TemporaryFolder
  private let ended = DispatchSemaphore(value: 0)
  private var read = Data()

  init(_ path: URL, _ arguments: [String], in working: URL? = nil) throws {
    guard FileManager.default.isExecutableFile(atPath: path.path) else {
      throw Failure(description: "no executable at \(path.path). Run `swift build` first")
    }
    folder = try TemporaryFolder()
    errors = folder.url.appendingPathComponent("stderr")
    try Data().write(to: errors)
    process.executableURL = path
    process.arguments = arguments
    if let working { process.currentDirectoryURL = working }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    process.terminationHandler = { [ended] _ in ended.signal() }
    // One at a time, so that a program doesn't inherit the pipe of another.
    try Self.started.withLock {
      try process.run()
      $0.append(process.processIdentifier)
    }
  }

  deinit { signal(SIGKILL) }

  func signal(_ number: Int32) {
    if process.isRunning { Foundation.kill(process.processIdentifier, number) }
  }

  /// Returns the first line of the output; `nil` if the program ends without one.
  func firstLine() -> String? {
    let newline = UInt8(ascii: "\n")
    while !read.contains(newline), case let more = output.fileHandleForReading.availableData,
      !more.isEmpty
    {
      read += more
    }
    return read.firstIndex(of: newline).map { String(decoding: read[..<$0], as: UTF8.self) }
  }

  /// Waits until the program ends. Kills it if it takes more than a minute.
  func result() throws -> Result {
    let timeout = DispatchWorkItem { [self] in signal(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: timeout)
    defer { timeout.cancel() }
    read += output.fileHandleForReading.readDataToEndOfFile()
    ended.wait()
    ended.signal()
    let status = process.terminationStatus
    return Result(
      status: process.terminationReason == .uncaughtSignal ? -status : status,
      stdout: String(decoding: read, as: UTF8.self),
      stderr: try String(contentsOf: errors, encoding: .utf8))
  }
}

/// The server's program. SwiftPM puts it into the same folder as the tests.
let serverProgram =
  Bundle.main.executableURL?.deletingLastPathComponent()
  .appendingPathComponent("scenario-server") ?? URL(fileURLWithPath: "scenario-server")

/// Runs a scenario and waits until it ends. It's built from the main package, into `.build/debug`.
func runScenario(_ name: String, _ arguments: [String]) throws -> Program.Result {
  try Program(repositoryFile(".build/debug/\(name)"), arguments).result()
}

/// Returns a file of the repository.
///
/// - Parameter path: The path from the root, such as `Package.swift`.
func repositoryFile(_ path: String) -> URL {
  URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../../\(path)").standardized
}
