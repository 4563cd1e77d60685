import Foundation
import Testing

@testable import check_api

@Suite struct CheckCommandTests {
  /// A package's folder with the tables and a symbol graph of a fixture.
  private struct Folder: ~Copyable {
    let url: URL

    init(_ fixture: Fixture) throws {
      url = FileManager.default.temporaryDirectory
        .appendingPathComponent("check-api-\(UUID().uuidString)")
      let tables = url.appendingPathComponent("docs/reference")
      try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: true)
      try fixture.tableText.write(
        to: tables.appendingPathComponent("combine-api.tsv"), atomically: true, encoding: .utf8)
      try fixture.graphData().write(to: url.appendingPathComponent("Streams.symbols.json"))
    }

    func run(_ arguments: String...) -> CheckCommand.Outcome {
      CheckCommand.run(["--root", url.path] + arguments + [url.path])
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  @Test func aRunWithoutProblemsPrintsTheCounts() throws {
    let outcome = try Folder(Fixture()).run()
    #expect(outcome.output == ["api: 7 rows, 7 present, 0 different; 0 missing"])
    #expect(outcome.errors == [])
    #expect(outcome.status == 0)
  }

  @Test func aProblemIsAnErrorAndStillPrintsTheCounts() throws {
    var fixture = Fixture()
    fixture.remove("Publishers.Merge.init(_:_:)")
    let outcome = try Folder(fixture).run()
    #expect(outcome.output == ["api: 7 rows, 6 present, 0 different; 1 missing"])
    #expect(
      outcome.errors == [
        "docs/reference/combine-api.tsv:5: missing: `init(_ a: A, _ b: B)` in `Publishers.Merge`"
      ])
    #expect(outcome.status == 1)
  }

  @Test func aSymbolWithoutACommentIsAnError() throws {
    var fixture = Fixture()
    #expect(
      try Folder(fixture).run("--documented").output
        == ["comments: 10 public symbols, no comment is missing"])
    fixture.symbols[8].isDocumented = false
    let outcome = try Folder(fixture).run("--documented")
    #expect(
      outcome.errors == [
        "Streams: `Publisher.scan(_:_:)` is public, but has no comment: add one"
      ])
    #expect(outcome.status == 1)
  }

  @Test func anOperatorsCommentIsEnoughForItsArgumentsInThePublisher() throws {
    var fixture = Fixture()
    // `a` and `init(_:_:)` of `Publishers.Merge`.
    fixture.symbols[6].isDocumented = false
    fixture.symbols[7].isDocumented = false
    #expect(try Folder(fixture).run("--documented").status == 0)
    // The publisher itself.
    fixture.symbols[4].isDocumented = false
    #expect(try Folder(fixture).run("--documented").status == 1)
  }

  @Test func aRequirementsCommentIsEnough() throws {
    var fixture = Fixture()
    // `Output` of a publisher.
    fixture.symbols[5].isDocumented = false
    #expect(try Folder(fixture).run("--documented").status == 0)
    fixture.conformances.removeAll()
    #expect(try Folder(fixture).run("--documented").status == 1)
  }

  @Test func aRequirementsCommentIsEnoughForItsDefault() throws {
    var fixture = Fixture()
    let declaration = "func report()"
    fixture.symbols += [
      Fixture.Symbol(
        kind: "method", path: "Publisher.report()", declaration: declaration, isRequirement: true),
      Fixture.Symbol(
        kind: "method", path: "Publisher.report()", declaration: "mutating " + declaration,
        isDocumented: false),
    ]
    #expect(try Folder(fixture).run("--documented").status == 0)
    fixture.symbols[10].isDocumented = false
    #expect(try Folder(fixture).run("--documented").status == 1)
  }

  @Test(arguments: [
    ([], "name the folder of the symbol graphs"),
    (["a", "b"], "name only one folder"),
    (["--root"], "--root needs a folder"),
    (["--all"], "unknown argument '--all': see check-api --help"),
  ])
  func aWrongUsageIsOneLine(arguments: [String], message: String) {
    #expect(
      CheckCommand.run(arguments)
        == CheckCommand.Outcome(errors: ["check-api: \(message)"], status: 64))
  }

  @Test func aTableThatCannotBeOpenedIsOneLine() throws {
    let folder = try Folder(Fixture())
    let file = folder.url.path + "/docs/reference/combine-api.tsv"
    try Data([0x66, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: file))
    #expect(folder.run() == failure("\(file) isn't UTF-8 text: save it as UTF-8"))
    try FileManager.default.removeItem(atPath: file)
    #expect(
      folder.run() == failure("\(file) can't be opened: name the package's folder with --root"))
  }

  @Test func aFolderWithoutGraphsIsOneLine() throws {
    #expect(
      CheckCommand.run(["/nowhere"])
        == failure("/nowhere can't be opened as a folder: `make api` makes one with the graphs"))
    let folder = try Folder(Fixture())
    let graph = folder.url.path + "/Streams.symbols.json"
    try Data("[]".utf8).write(to: URL(fileURLWithPath: graph))
    #expect(
      folder.run()
        == failure("\(graph) can't be read as a symbol graph: make it again with `make api`"))
    try FileManager.default.removeItem(atPath: graph)
    #expect(
      folder.run()
        == failure(
          "\(folder.url.path) has no files *.symbols.json: `make api` makes a folder with the graphs"
        ))
  }

  @Test func aTableThatCannotBeReadHasNoCounts() throws {
    var fixture = Fixture()
    fixture.rows = []
    #expect(
      try Folder(fixture).run()
        == CheckCommand.Outcome(
          errors: [
            "docs/reference/combine-api.tsv:1: the table has no rows: add one for each symbol of"
              + " Combine"
          ], status: 1))
  }

  private func failure(_ message: String) -> CheckCommand.Outcome {
    CheckCommand.Outcome(errors: ["check-api: \(message)"], status: 1)
  }

  @Test func helpIsPrinted() {
    #expect(CheckCommand.run(["--help"]).output.first == "Usage: check-api [--root DIR] GRAPHS")
  }
}
