import TestSupport
import Testing

/// The chains print one snapshot, in both language modes. `make release-check` holds release builds
/// to the same one.
@Suite struct ChainsTests {
  @Test(arguments: ["chains", "chains-swift5"])
  func printTheirSnapshot(program: String) async throws {
    let result = try await runExecutable(program)
    #expect(result.status == 0)
    #expect(result.stderr == "")
    expectSnapshot(result.stdout, id: "chains", kind: .transcript)
  }

  @Test func thereIsOneSnapshot() {
    expectSnapshotFiles(of: [("chains", [.transcript])])
  }
}
