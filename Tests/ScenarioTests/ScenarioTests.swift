import Foundation
import TestSupport
import Testing

/// Each scenario's program prints exactly what its snapshots hold, in each of its formats.
@Suite struct ScenarioTests {
  @Test(arguments: Catalogue.scenarios, OutputFormat.allCases)
  func theOutputInEachFormatIsItsSnapshot(scenario: String, format: OutputFormat) throws {
    let result = try runExecutable(scenario, arguments: format.arguments)
    #expect(result.status == 0)
    #expect(result.stderr == "")
    expectSnapshot(result.stdout, id: scenario, kind: format.kind)
  }

  @Test(arguments: Catalogue.flags)
  func theOutputWithAFlagIsItsSnapshot(scenario: String, flag: String) throws {
    let result = try runExecutable(scenario, arguments: [flag])
    #expect(result.status == 0)
    #expect(result.stderr == "")
    expectSnapshot(result.stdout, id: scenario, kind: .variant)
  }

  @Test(arguments: Catalogue.scenarios)
  func tenRunsPrintTheSame(scenario: String) throws {
    let first = try runExecutable(scenario)
    for _ in 1..<10 { #expect(try runExecutable(scenario) == first) }
  }

  /// In real time, everything happens in the same order, at the same virtual times.
  @Test(arguments: Catalogue.scenarios)
  func aRunInRealTimeHasTheSameTrace(scenario: String) throws {
    #expect(
      try runExecutable(scenario, arguments: ["--real-time", "--trace"])
        == runExecutable(scenario, arguments: ["--trace"]))
  }

  /// In real time, lines are written one by one, in columns of fixed widths.
  @Test func aRunInRealTimePrintsTheSameWords() throws {
    func words(_ arguments: [String]) throws -> [[Substring]] {
      try runExecutable("decode-user", arguments: arguments).stdout
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ") }
    }
    #expect(try words(["--real-time"]) == words([]))
  }

  @Test(arguments: Catalogue.scenarios)
  func refusesAnUnknownArgument(scenario: String) throws {
    let result = try runExecutable(scenario, arguments: ["--marble"])
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(
      result.stderr
        == "\(scenario): unknown argument \"--marble\". Use --marbles, --trace, --real-time, "
        + "\(scenario == "wait-for-connectivity" ? "" : "--server URL, ")"
        + "\(Catalogue.flags[scenario].map { "\($0), " } ?? "")--help, or no argument\n")
  }

  @Test func refusesTwoFormatsAtOnce() throws {
    let result = try runExecutable("decode-user", arguments: ["--marbles", "--trace"])
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(
      result.stderr
        == "decode-user: --marbles and --trace can't be combined. Use only one of them\n")
  }

  @Test func reportsThatItCannotWrite() throws {
    let shell = URL(fileURLWithPath: "/bin/sh")
    let program = builtProduct("decode-user").path
    let result = try run(shell, arguments: ["-c", "'\(program)' > /dev/full"])
    #expect(result.status == 1)
    #expect(
      result.stderr == "decode-user: can't write the output: No space left on device\n")
  }

  enum OutputFormat: CaseIterable {
    case transcript, marbles, trace, help

    var arguments: [String] {
      switch self {
      case .transcript: []
      case .marbles: ["--marbles"]
      case .trace: ["--trace"]
      case .help: ["--help"]
      }
    }

    var kind: SnapshotKind {
      switch self {
      case .transcript: .transcript
      case .marbles: .marble
      case .trace: .trace
      case .help: .help
      }
    }
  }
}

/// Each scenario has its folder, program, snapshots and page.
@Suite struct CompletenessTests {
  @Test func everySnapshotHasAScenarioAndEveryScenarioItsSnapshots() {
    expectSnapshotFiles(
      of: Catalogue.scenarios.map { scenario in
        let variants: [SnapshotKind] = Catalogue.flags[scenario] == nil ? [] : [.variant]
        return (scenario, ScenarioTests.OutputFormat.allCases.map(\.kind) + variants)
      })
  }

  @Test func theManifestNamesEveryFolder() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Catalogue.root.appendingPathComponent("Scenarios").path)
    // The server is a package of its own.
    #expect(Set(folders) == Set(Catalogue.scenarios + ["server"]))
  }

  @Test(arguments: Catalogue.scenarios)
  func everyScenarioHasAPage(scenario: String) {
    let page = Catalogue.root.appendingPathComponent("docs/scenarios/\(scenario).md")
    #expect(FileManager.default.fileExists(atPath: page.path))
  }
}

/// The scenarios, as the manifest lists them.
enum Catalogue {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The flags that single scenarios have in addition to the common ones.
  static let flags = ["search-as-you-type": "--without-switch"]

  static let scenarios: [String] = {
    guard
      let manifest = try? String(
        contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8),
      let start = manifest.range(of: "let scenarios = [\n"),
      let end = manifest.range(of: "\n]", range: start.upperBound..<manifest.endIndex)
    else { return [] }
    return manifest[start.upperBound..<end.lowerBound].split(separator: "\n").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " \","))
    }
  }()
}
