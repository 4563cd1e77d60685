import Foundation
import Synchronization

/// Builds the program with the package manager, and with its commands as soon as those are known.
final class Builder: Sendable {
  enum Result {
    case built(URL)
    /// What the compiler says.
    case broken(String)
    /// The package has no such program.
    case missing
  }

  private struct State {
    /// The package manager, while it works.
    var process: Process?
    var isEnded = false
    /// Where programs are; `nil` before the first build.
    var programs: URL?
    var commands = BuildCommands()
  }

  private let program: String
  private let package: URL
  private let state = Mutex(State())

  init(program: String, package: URL) {
    (self.program, self.package) = (program, package)
  }

  /// Builds the program.
  ///
  /// - Parameters:
  ///   - changed: The files that have changed since the last build that went well.
  ///   - progress: Hears how far it is, such as `[12/345]`.
  func build(
    _ changed: Set<String>, progress: @Sendable (String) async -> Void
  ) async -> Result {
    let (known, commands) = state.withLock { ($0.programs, $0.commands) }
    let commandsToRepeat = known == nil ? nil : commands.commands(forChanged: changed)
    if let known, let commandsToRepeat {
      var (status, output): (Int32, String)
      repeat {
        (status, output) = (0, "")
        for command in commandsToRepeat where status == 0 {
          // Without a shell in between, an interrupt reaches the compiler.
          (status, output) = await run("sh", ["-c", "exec \(command)"])
        }
      } while output.contains(" was modified during the build")
      if status == 0 {
        state.withLock { $0.commands.note(worked: true) }
        return .built(known.appending(path: program))
      }
      if let error = Self.compilerError(in: output) { return .broken(shown(error)) }
    }
    var (status, output): (Int32, String)
    repeat {
      // The first build may be long, so it shows its steps instead of its commands.
      let options = known == nil ? [] : ["--verbose"]
      (status, output) = await run("swift", ["build", "--product", program] + options) { line in
        if let step = Self.step(in: line) { await progress(step) }
      }
    } while output.contains(" was modified during the build")
    if let known {
      state.withLock { $0.commands.note(output, of: known.appending(path: program)) }
    }
    if output.contains("error: no product named '\(program)'") { return .missing }
    guard status == 0 else {
      let error = output.split(separator: "\n").first { $0.hasPrefix("error: ") }
      return .broken(shown(Self.compilerError(in: output) ?? error.map(String.init) ?? output))
    }
    if commandsToRepeat != nil { state.withLock { $0.commands.note(worked: false) } }
    let folder = await programs()
    let executable = folder.appending(path: program)
    return FileManager.default.isExecutableFile(atPath: executable.path)
      ? .built(executable) : .missing
  }

  /// Ends a build that's running, and begins no other one.
  func end() async {
    let process = state.withLock {
      $0.isEnded = true
      return $0.process
    }
    guard let process else { return }
    // The package manager then ends its compilers too.
    process.interrupt()
    for _ in 0..<30 where process.isRunning { try? await Task.sleep(for: .milliseconds(100)) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Asks for the folder only once, because that takes nearly half as long as a build.
  private func programs() async -> URL {
    if let known = state.withLock({ $0.programs }) { return known }
    let (_, output) = await run("swift", ["build", "--show-bin-path"])
    let folder = URL(fileURLWithPath: output.split(separator: "\n").last.map(String.init) ?? "")
    state.withLock { $0.programs = folder }
    return folder
  }

  /// How far a build is, if a line of its output says so.
  private static func step(in line: String) -> String? {
    if line.hasPrefix("Another instance of SwiftPM") { return "another build has to end first" }
    if line.hasPrefix("Fetching ") { return line }
    if let module = line.firstMatch(of: #/^\S+swiftc -module-name (\S+) /#) {
      return "compiling \(module.1)"
    }
    return line.firstMatch(of: /^\[\d+\/\d+\]/).map { String($0.output) }
  }

  /// The compiler's first error, with its lines of code; `nil` if there's none. Others often follow
  /// from it.
  private static func compilerError(in output: String) -> String? {
    let lines = output.split(separator: "\n").map(String.init)
    guard let first = lines.firstIndex(where: { $0.firstMatch(of: #/^/.*:\d+: error: /#) != nil })
    else { return nil }
    let code = lines[(first + 1)...].prefix { $0.contains("|") }
    return (lines[first...first] + code).joined(separator: "\n")
  }

  /// A message with short paths.
  private func shown(_ message: String) -> String {
    message.replacingOccurrences(of: package.path + "/", with: "")
  }

  private func run(
    _ program: String, _ arguments: [String], receive: @Sendable (String) async -> Void = { _ in }
  ) async -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = package
    process.standardOutput = pipe
    process.standardError = pipe
    do {
      try state.withLock {
        if $0.isEnded { throw CancellationError() }
        try process.run()
        $0.process = process
      }
    } catch {
      return (1, "can't start \(program): \(error)")
    }
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    Thread {
      pipe.fileHandleForReading.readLines { continuation.yield($0) }
      process.waitUntilExit()
      continuation.finish()
    }
    .start()
    var output: [String] = []
    for await line in lines {
      output.append(line)
      await receive(line)
    }
    state.withLock { $0.process = nil }
    return (process.terminationStatus, output.joined(separator: "\n"))
  }
}
