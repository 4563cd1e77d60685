import TestSupport
import Testing

@Suite struct WaitForConnectivityTests {
  @Test(arguments: ["http://127.0.0.1:1", "https://example.com/"])
  func refusesAServerAndSaysWhy(server: String) async throws {
    expectSameResult(
      try await runExecutable("wait-for-connectivity", arguments: ["--server", server]),
      as: ExecutableResult(
        status: 64, stdout: "",
        stderr: "wait-for-connectivity: this scenario can't use --server: "
          + "only the stub can model waiting for connectivity\n"))
  }
}
