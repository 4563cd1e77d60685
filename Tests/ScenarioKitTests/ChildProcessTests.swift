import Foundation
import TestSupport
import Testing

/// A run with `--server` happens in a child process. These tests look at how both processes end.
@Suite struct ChildProcessTests {
  /// Runs the fixture, which makes a mistake, with a server that responds as it should.
  private func run(
    mistake: String? = nil, environment: [String: String] = [:], _ arguments: String...
  ) async throws -> ExecutableResult {
    try await run(mistake: mistake, environment: environment, arguments).result
  }

  /// Runs it with a time limit that it reaches after a request for a path. The limit's number is
  /// left out of the result.
  private func run(
    mistake: String? = nil, untilLimitAfter path: String, _ arguments: String...
  ) async throws -> ExecutableResult {
    try await withTimeLimit { seconds in
      let (result, paths) = try await run(
        mistake: mistake, environment: [:], arguments + ["--time-limit", "\(seconds)"])
      // A deadlock that begins late isn't noticed in time.
      let isLate = result.stderr.contains("no request is open")
      return (result.hidingLimit(seconds), paths.contains(path) && !isLate)
    }
  }

  private func run(
    mistake: String?, environment: [String: String], _ arguments: [String]
  ) async throws -> (result: ExecutableResult, requestedPaths: [String]) {
    let server = try BadServer { path in
      switch path {
      case "/": .send(BadServer.identity)
      case "/other": .keepSilent
      default: .send(BadServer.response("200 OK", "page"))
      }
    }
    let result = try await runExecutable(
      "mistaken-run", arguments: ["--server", server.url] + arguments,
      environment: environment.merging(mistake.map { ["MISTAKE": $0] } ?? [:]) { $1 })
    return (
      ExecutableResult(
        status: result.status, stdout: result.stdout,
        stderr: result.stderr.replacing(server.url, with: "SERVER")),
      server.requestedPaths
    )
  }

  @Test(arguments: [
    (SIGTERM, "SIGTERM"), (SIGKILL, "SIGKILL"), (SIGSEGV, "SIGSEGV"), (SIGABRT, "SIGABRT"),
  ])
  func aSignalIsNamed(number: Int32, name: String) async throws {
    let result = try await run(mistake: "\(number)")
    #expect(result.status == 1)
    #expect(
      result.stderr == "mistaken-run: the run was ended by signal \(number) (\(name))\n")
  }

  @Test func aTrapInTheScenarioKeepsItsText() async throws {
    let result = try await run(mistake: "trap")
    #expect(result.status == 1)
    // The signal of a trap depends on the processor, and in a debug build a stack trace may follow.
    let lines = result.stderr.replacing(/swift:\d+/, with: "swift:LINE")
      .replacing(/signal \d \(SIG(ILL|TRAP)\)/, with: "SIGNAL")
      .replacing(/(?m)^(Current stack trace:|\d+ +.*)\n/, with: "")
    #expect(
      lines == """
        before the trap
        mistaken_run/main.swift:LINE: Fatal error: the scenario's own mistake
        mistaken-run: the run was ended by SIGNAL

        """)
  }

  @Test func aProcessWithAnotherParentSaysSoAndEnds() async throws {
    let result = try await run(environment: ["STREAM_SCENARIOS_PARENT": "1"])
    expectSameResult(
      result,
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "mistaken-run: the process that began this run (1) has ended. "
          + "If STREAM_SCENARIOS_PARENT is set in your shell, unset it\n"))
  }

  @Test func theChildEndsWithItsParent() async throws {
    let folder = try TemporaryFolder()
    let server = try BadServer { path in
      if path == "/" { return .send(BadServer.identity) }
      try? folder.write("", to: "requested")
      return .keepSilent
    }
    let script = """
      "\(builtProduct("new-scenario").path)" --server \(server.url) --time-limit 600 --trace &
      until [ -e "\(folder.url.path)/requested" ]; do sleep 0.1; done
      kill -KILL $!
      """
    // This waits until all processes have closed their standard output.
    let result = try await TestSupport.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    withExtendedLifetime(server) {}
    expectSameResult(result, as: ExecutableResult(status: 0, stdout: "", stderr: ""))
  }

  @Test func aRunThatDoesNotEndByItselfIsStopped() async throws {
    let result = try await run(mistake: "\(SIGSTOP)", untilLimitAfter: "/")
    #expect(result.status == 1)
    #expect(
      result.stderr == "mistaken-run: stopped at the time limit of N s, "
        + "because the run didn't end by itself\n")
  }

  /// Some responses take memory that no limit for bodies sees, such as an endless redirect.
  @Test func aRunThatTakesTooMuchMemoryIsStopped() async throws {
    let result = try await run(mistake: "memory", "--time-limit", "600")
    #expect(result.status == 1)
    #expect(
      result.stderr == "mistaken-run: The mistake: stopped, because the run took more than 256 MiB "
        + "of memory; no request is open\n")
  }

  @Test func aDeadlockIsExplained() async throws {
    let result = try await run(mistake: "deadlock", untilLimitAfter: "/")
    #expect(result.status == 1)
    #expect(
      result.stderr == "mistaken-run: The mistake: stopped at the time limit of N s; "
        + "the scenario is stuck: some work takes very long, or waits for the main thread while "
        + "the main thread waits for it. Replace DispatchQueue.main.sync with async\n")
  }

  /// Runs the program with more output than fits in a pipe, and a reader that begins to read after
  /// both processes would have been stopped.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - status: The place for the program's exit status.
  ///   - reader: The command that reads.
  private func runWithSlowReader(
    _ arguments: String = "", status: String, reader: String
  ) async throws -> ExecutableResult {
    let program = builtProduct("mistaken-run").path
    return try await withTimeLimit { seconds in
      let server = try BadServer.behindIdentity(.keepSilent)
      let script = """
        { MISTAKE=output "\(program)" --server \(server.url) --time-limit \(seconds) \(arguments)
          echo "status $?" \(status)
        } | { sleep \(seconds + 8); \(reader); }
        """
      let result = try await TestSupport.run(
        URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
      return (result.hidingLimit(seconds), server.requestedPaths.contains("/"))
    }
  }

  @Test func theOutputMayTakeLongerThanTheLimit() async throws {
    expectSameResult(
      try await runWithSlowReader("--trace", status: "", reader: "tail -n 1"),
      as: ExecutableResult(status: 0, stdout: "status 0\n", stderr: ""))
  }

  /// A transcript is written during the run, so it's part of the limit.
  @Test func aSlowReaderOfATranscriptIsNamed() async throws {
    expectSameResult(
      try await runWithSlowReader(status: ">&2", reader: "cat >/dev/null"),
      as: ExecutableResult(
        status: 0, stdout: "",
        stderr: "mistaken-run: The mistake: stopped at the time limit of N s; "
          + "the program that reads the output is slow\nstatus 1\n"))
  }

  @Test func aPlayerReportsTheProblemsOfEachRun() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("player.html")
    let problem = "The mistake: stopped at the time limit of N s; open requests: GET SERVER/other\n"
    let wrote = "Wrote \(file.path). Open it in a browser: \(file.absoluteString)\n"
    expectSameResult(
      try await run(untilLimitAfter: "/other", "--player", file.path),
      as: ExecutableResult(
        status: 1, stdout: wrote, stderr: "mistaken-run: with --other: \(problem)"))
    #expect(folder.files.keys.sorted() == ["player.html"])
    expectSameResult(
      try await run(untilLimitAfter: "/other", "--other", "--player", file.path),
      as: ExecutableResult(status: 1, stdout: wrote, stderr: "mistaken-run: \(problem)"))
  }

  /// The shell opens a copy of the program, deletes it, and becomes it.
  @Test func aDeletedProgramRunsAllTheSame() async throws {
    let folder = try TemporaryFolder()
    let copy = folder.url.appendingPathComponent("copy").path
    let server = try BadServer.behindIdentity(.send(BadServer.response("200 OK", "page")))
    let script = """
      cp "\(builtProduct("mistaken-run").path)" "\(copy)"
      exec 3<"\(copy)"
      rm "\(copy)"
      exec /proc/self/fd/3 --server \(server.url)
      """
    let result = try await TestSupport.run(
      URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    withExtendedLifetime(server) {}
    #expect(result.status == 0)
    #expect(result.stderr == "")
    #expect(result.stdout.hasSuffix("completion: finished\n"))
  }
}
