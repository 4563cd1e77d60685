import Foundation
import Streams

/// What a program did from its start to its end.
package struct ExecutableResult: Equatable, Sendable {
  /// The exit code; below zero the signal that ended the program, as in -11.
  package let status: Int32
  /// All it printed.
  package let stdout: String
  /// All it said on standard error.
  package let stderr: String

  /// Makes a result; tests compare with it.
  package init(status: Int32, stdout: String, stderr: String) {
    self.status = status
    self.stdout = stdout
    self.stderr = stderr
  }
}

/// Why there is no result.
package enum ExecutableError: Error, Equatable, CustomStringConvertible {
  /// There is no such program beside the tests.
  case notBuilt(path: String)
  /// The program was killed; what it had printed until then.
  case timedOut(seconds: Int, stdout: String, stderr: String)

  /// What went wrong, in words.
  package var description: String {
    switch self {
    case .notBuilt(let path):
      "no executable at \(path); does the test target depend on it?"
    case .timedOut(let seconds, let stdout, let stderr):
      "killed after \(seconds) s; stdout: \(stdout.debugDescription), "
        + "stderr: \(stderr.debugDescription)"
    }
  }
}

/// Runs a program of this package, built beside the tests, and waits for its end.
///
/// - Parameters:
///   - name: The product's name, as in `swift run <name>`.
///   - arguments: What stands behind the name.
///   - environment: Added to the environment of the tests.
///   - input: What the program reads; at its end there is no more.
/// - Throws: ``ExecutableError``, also when the program takes more than 60 s.
package func runExecutable(
  _ name: String, arguments: [String] = [], environment: [String: String] = [:],
  input: String = ""
) throws -> ExecutableResult {
  let program = builtProduct(name)
  guard FileManager.default.isExecutableFile(atPath: program.path) else {
    throw ExecutableError.notBuilt(path: program.path)
  }
  return try run(program, arguments: arguments, environment: environment, input: input)
}

/// Runs a program, and kills it when it takes too long.
package func run(
  _ program: URL, arguments: [String], environment: [String: String] = [:], input: String = "",
  timeoutInSeconds: Int = 60
) throws -> ExecutableResult {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  process.environment = childEnvironment(
    of: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  // A file, since a pipe that nobody reads would end the tests by a signal.
  let inputFile = FileManager.default.temporaryDirectory
    .appendingPathComponent("input-\(UUID().uuidString)")
  try Data(input.utf8).write(to: inputFile)
  defer { try? FileManager.default.removeItem(at: inputFile) }
  let inputHandle = try FileHandle(forReadingFrom: inputFile)
  defer { try? inputHandle.close() }
  process.standardInput = inputHandle

  let stdout = Pipe()
  let stderr = Pipe()
  process.standardOutput = stdout
  process.standardError = stderr
  let ended = DispatchSemaphore(value: 0)
  process.terminationHandler = { _ in ended.signal() }
  try process.run()

  // Both are read while the program runs: it would wait for ever behind a full pipe.
  let output = PipeReader(stdout)
  let errors = PipeReader(stderr)
  let deadline = DispatchTime.now() + .seconds(timeoutInSeconds)
  // The pipes may outlive the program, where one that it started still holds them.
  guard
    ended.wait(timeout: deadline) == .success, output.wait(until: deadline),
    errors.wait(until: deadline)
  else {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    throw ExecutableError.timedOut(
      seconds: timeoutInSeconds, stdout: output.text, stderr: errors.text)
  }
  let status = process.terminationStatus
  return ExecutableResult(
    status: process.terminationReason == .uncaughtSignal ? -status : status,
    stdout: output.text, stderr: errors.text)
}

/// The environment of a child: the sanitizer's runtime sleeps for a second at exit, which nobody
/// needs here.
package func childEnvironment(of environment: [String: String]) -> [String: String] {
  let option = "atexit_sleep_ms=0"
  let options = environment["TSAN_OPTIONS"].map { $0.isEmpty ? option : "\($0):\(option)" }
  return environment.merging(["TSAN_OPTIONS": options ?? option]) { $1 }
}

/// Where SwiftPM puts an executable: the folder of the running tests.
package func builtProduct(_ name: String) -> URL {
  let path =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
  return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name)
}

/// Reads a pipe to its end on a thread of its own.
private final class PipeReader: Sendable {
  private let bytes = Locked(Data())
  private let ended = DispatchSemaphore(value: 0)

  init(_ pipe: Pipe) {
    // The thread keeps the reader, and the reader not the pipe.
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      // `availableData` is empty at the end only.
      while case let chunk = handle.availableData, !chunk.isEmpty {
        bytes.withLock { $0.append(chunk) }
      }
      try? handle.close()
      ended.signal()
    }
  }

  func wait(until deadline: DispatchTime) -> Bool { ended.wait(timeout: deadline) == .success }

  /// What was read so far.
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}
