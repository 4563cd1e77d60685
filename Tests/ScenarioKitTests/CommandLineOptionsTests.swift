import Testing

@testable import ScenarioKit

@Suite struct CommandLineOptionsTests {
  @Test func readsOneFace() throws {
    #expect(try CommandLineOptions([]).face == .transcript)
    #expect(try CommandLineOptions(["--marbles"]).face == .marbles)
    #expect(try CommandLineOptions(["--trace"]).face == .trace)
    #expect(try CommandLineOptions(["--help"]).face == .help)
    #expect(try CommandLineOptions(["-h"]).face == .help)
    #expect(try CommandLineOptions(["--trace", "--trace"]).face == .trace)
  }

  @Test(arguments: [
    (
      ["--marble"],
      "unknown argument \"--marble\": use --marbles, --trace, --help, or nothing at all"
    ),
    ([""], "unknown argument \"\": use --marbles, --trace, --help, or nothing at all"),
    (
      ["--trace", "x"],
      "unknown argument \"x\": use --marbles, --trace, --help, or nothing at all"
    ),
    (["--trace", "--marbles"], "--trace and --marbles exclude each other: use one of them"),
  ])
  func refusesTheRest(arguments: [String], message: String) {
    let error = #expect(throws: CommandLineOptions.UsageError.self) {
      try CommandLineOptions(arguments)
    }
    #expect(error?.description == message)
  }
}
