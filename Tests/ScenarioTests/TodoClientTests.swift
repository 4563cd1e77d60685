import TestSupport
import Testing

@Suite struct TodoClientTests {
  /// The output of a run contains neither passwords nor tokens.
  @Test(arguments: ScenarioTests.OutputFormat.allCases)
  func noFormatShowsASecret(format: ScenarioTests.OutputFormat) throws {
    let output = try runExecutable("todo-client", arguments: format.arguments).stdout
    #expect(output.contains("todo-client") || output.contains("https://api.example.com/todos"))
    for secret in ["s password", "token-", "Basic ", "Bearer "] {
      #expect(!output.contains(secret))
    }
  }
}
