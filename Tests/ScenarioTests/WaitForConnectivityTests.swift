import TestSupport
import Testing

@Suite struct WaitForConnectivityTests {
  @Test(arguments: ["http://127.0.0.1:1", "https://example.com/"])
  func refusesAServerAndSaysWhy(server: String) throws {
    let result = try runExecutable("wait-for-connectivity", arguments: ["--server", server])
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(
      result.stderr
        == "wait-for-connectivity: this scenario can't use --server: "
        + "only the stub can model waiting for connectivity\n")
  }
}
