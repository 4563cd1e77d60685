import Foundation
import Streams

/// The exit status and the output of a program.
package struct ExecutableResult: Equatable, Sendable {
  /// The exit code. If a signal ended the program, it's the negative signal number, such as -11.
  package let status: Int32
  /// The whole standard output.
  package let stdout: String
  /// The whole standard error.
  package let stderr: String

  /// Makes a result for a test to compare with.
  package init(status: Int32, stdout: String, stderr: String) {
    self.status = status
    self.stdout = stdout
    self.stderr = stderr
  }
}

/// The reason why a program has no result.
package enum ExecutableError: Error, Equatable, CustomStringConvertible {
  /// The program doesn't exist in the folder of the tests.
  case notBuilt(path: String)
  /// The program was killed after this time, with this output until then.
  case timedOut(seconds: Int, stdout: String, stderr: String)

  /// The error in words.
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

/// Runs a program of this package, built together with the tests, and waits until it ends.
///
/// - Parameters:
///   - name: The product's name, as in `swift run <name>`.
///   - arguments: The arguments after the name.
///   - environment: Variables to add to the environment of the tests.
///   - input: The whole standard input of the program.
///   - lastWords: Words of its output after which the program is killed; `nil` to wait for its own
///     end.
/// - Throws: ``ExecutableError``, also if the program takes more than 15 minutes. The limit counts
///   the time in which the program waits for a busy machine, as `hangLimit` does.
package func runExecutable(
  _ name: String, arguments: [String] = [], environment: [String: String] = [:],
  input: String = "", until lastWords: String? = nil
) async throws -> ExecutableResult {
  let program = builtProduct(name)
  guard FileManager.default.isExecutableFile(atPath: program.path) else {
    throw ExecutableError.notBuilt(path: program.path)
  }
  return try await run(
    program, arguments: arguments, environment: environment, input: input, until: lastWords)
}

/// Runs a program, and kills it if it takes too long.
///
/// Tests share the threads of their tasks, one for each processor. So the wait for the program,
/// which may take many seconds of doing nothing, happens on another thread.
package func run(
  _ program: URL, arguments: [String], environment: [String: String] = [:], input: String = "",
  until lastWords: String? = nil, timeoutInSeconds: Int = 15 * 60
) async throws -> ExecutableResult {
  try await withCheckedThrowingContinuation { continuation in
    ProgramQueue.shared.add {
      continuation.resume(
        with: Result {
          try runAndWait(
            for: program, arguments: arguments, environment: environment, input: input,
            until: lastWords, timeoutInSeconds: timeoutInSeconds)
        })
    }
  }
}

/// Runs a few programs at once, in the order of their tests. Most of them spend their time waiting,
/// so there are more of them than processors. But they have time limits, so each needs its share.
///
/// After a program, a thread runs the next one at once. The task of a test goes on only after all
/// others that are ready.
private final class ProgramQueue: Sendable {
  static let shared = ProgramQueue()

  private struct State {
    var freeThreads = max(8, 4 * ProcessInfo.processInfo.activeProcessorCount)
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  func add(_ program: @escaping @Sendable () -> Void) {
    let isFree = state.withLock { state in
      guard state.freeThreads > 0 else {
        state.waiting.append(program)
        return false
      }
      state.freeThreads -= 1
      return true
    }
    guard isFree else { return }
    Thread.detachNewThread { [self] in
      // Threads of tests block signals, and a program would inherit that.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      program()
      while let next = next() { next() }
    }
  }

  /// The next program for a thread; `nil` if the thread is free now.
  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.freeThreads += 1
      return nil
    }
  }
}

private func runAndWait(
  for program: URL, arguments: [String], environment: [String: String], input: String,
  until lastWords: String?, timeoutInSeconds: Int
) throws -> ExecutableResult {
  let process = Process()
  process.executableURL = program
  process.arguments = arguments
  process.environment = childEnvironment(
    of: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  // A file, because writing to a pipe that the program doesn't read would end the tests by a
  // signal.
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

  // Read both while the program runs, because a program that writes to a full pipe waits forever.
  let child = process.processIdentifier
  let output = PipeReader(stdout, until: lastWords) { kill(child, SIGKILL) }
  let errors = PipeReader(stderr, until: lastWords) { kill(child, SIGKILL) }
  let deadline = DispatchTime.now() + .seconds(timeoutInSeconds)
  // The pipes may outlive the program, if a child of the program still holds them.
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

/// The environment for a child process. It turns off the thread sanitizer's sleep of one second at
/// exit.
package func childEnvironment(of environment: [String: String]) -> [String: String] {
  let option = "atexit_sleep_ms=0"
  let options = environment["TSAN_OPTIONS"].map { $0.isEmpty ? option : "\($0):\(option)" }
  return environment.merging(["TSAN_OPTIONS": options ?? option]) { $1 }
}

/// The URL of an executable that SwiftPM built, in the folder of the running tests.
package func builtProduct(_ name: String) -> URL {
  let path =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
  return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name)
}

/// Reads a pipe until it's closed, on its own thread.
private final class PipeReader: Sendable {
  private let bytes = Locked(Data())
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - lastWords: Words to look for; `nil` for none.
  ///   - found: Called once they were read.
  init(
    _ pipe: Pipe, until lastWords: String? = nil, found: @escaping @Sendable () -> Void = {}
  ) {
    // The thread keeps the reader alive, but the reader doesn't keep the pipe.
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      // `availableData` is empty only at the end of the pipe.
      while case let chunk = handle.availableData, !chunk.isEmpty {
        bytes.withLock { $0.append(chunk) }
        if let lastWords, text.contains(lastWords) { found() }
      }
      try? handle.close()
      ended.signal()
    }
  }

  func wait(until deadline: DispatchTime) -> Bool { ended.wait(timeout: deadline) == .success }

  /// The text that was read so far.
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}
