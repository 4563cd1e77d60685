import Foundation
import TestSupport
import Testing

struct RunExecutableTests {
  private let shell = URL(fileURLWithPath: "/bin/sh")

  @Test func returnsTheStatusAndBothOutputs() async throws {
    let result = try await run(
      shell, arguments: ["-c", "echo \"$0 $NAME\"; cat; echo no >&2; exit 3", "hello"],
      environment: ["NAME": "Ada"], input: "typed\n")
    expectEqual(result, ExecutableResult(status: 3, stdout: "hello Ada\ntyped\n", stderr: "no\n"))
  }

  @Test func readsMoreThanAPipeHoldsOfBothOutputs() async throws {
    let script = "head -c 300000 /dev/zero | tr '\\0' e >&2; head -c 300000 /dev/zero | tr '\\0' o"
    let result = try await run(shell, arguments: ["-c", script])
    expectEqual(result.status, 0)
    expectEqual(result.stdout, String(repeating: "o", count: 300_000))
    expectEqual(result.stderr, String(repeating: "e", count: 300_000))
  }

  @Test func killsAProgramThatTakesTooLong() async {
    await #expect(throws: ExecutableError.timedOut(seconds: 1, stdout: "early\n", stderr: "")) {
      try await run(shell, arguments: ["-c", "echo early; exec sleep 30"], timeoutInSeconds: 1)
    }
  }

  @Test func reportsTheSignalThatEndedAProgram() async throws {
    expectEqual(try await run(shell, arguments: ["-c", "kill -11 $$"]).status, -11)
  }

  @Test func ignoresInputThatAProgramDoesNotRead() async throws {
    let input = String(repeating: "a", count: 300_000)
    expectEqual(try await run(shell, arguments: ["-c", "exit 0"], input: input).status, 0)
  }

  @Test func leavesNoFilesOpen() async throws {
    // The program prints the names of its own files, as other tests run programs at the same time.
    let script = "for file in 0 1 2; do readlink /proc/$$/fd/$file; done"
    let result = try await run(shell, arguments: ["-c", script])
    let names = result.stdout.split(separator: "\n")
    expectEqual(names.count, 3)
    let files = FileManager.default
    let open = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(open.count > 3)
    // The name of a file that was removed is longer.
    expectEqual(open.filter { file in names.contains { file.hasPrefix($0) } }, [])
  }

  @Test func findsTheExecutablesOfThePackage() async throws {
    // Any result will do: the program was found, and it ended.
    _ = try await runExecutable("decode-user", arguments: ["--help"])
  }

  @Test func namesAnExecutableThatIsNotBuilt() async throws {
    let error = await #expect(throws: ExecutableError.self) {
      try await runExecutable("no-such-scenario")
    }
    let description = try #require(error).description
    #expect(description.hasPrefix("no executable at /"))
    #expect(description.hasSuffix("/no-such-scenario; does the test target depend on it?"))
  }

  @Test(arguments: [
    (nil, "atexit_sleep_ms=0"), ("", "atexit_sleep_ms=0"),
    ("halt_on_error=1", "halt_on_error=1:atexit_sleep_ms=0"),
  ])
  func addsToTheOptionsOfTheThreadSanitizer(existing: String?, expected: String) {
    var environment = ["A": "b"]
    environment["TSAN_OPTIONS"] = existing
    expectEqual(childEnvironment(of: environment), ["A": "b", "TSAN_OPTIONS": expected])
  }
}
