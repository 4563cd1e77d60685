import Foundation
import Testing

@testable import check_api

@Suite struct APITableTests {
  @Test(arguments: [
    ("func|Streams|f()|func f()|iOS 13|present", "a row has 7 columns, and this one has 6"),
    ("func|Streams|f()||iOS 13|present|Does a thing.", "the column declaration is empty"),
    (
      "func|Streams|f()|func f()|iOS 13|there|Does a thing.",
      "the state is 'there', expected one of: present, apple-only, differs, left out, unseen"
    ),
    (
      "func|Streams|f()|func f()|iOS 13|present|Does a thing",
      "the rule of `f()` has to be a sentence"
    ),
    ("func|Streams|f()|func f()|iOS 13|present|Yes.", "the rule of `f()` has to be a sentence"),
  ])
  func aMalformedLineIsOneProblemWithItsNumber(row: String, problem: String) {
    var fixture = Fixture()
    fixture.rows.insert(row, at: 1)
    #expect(fixture.table.problems.map(\.description) == ["api.tsv:3: \(problem)"])
    #expect(fixture.table.rows.count == 7)
  }

  @Test func theFirstLineNamesTheColumns() {
    let table = APITable("kind\tname\n", file: "api.tsv")
    #expect(
      table.problems.map(\.description) == [
        "api.tsv:1: the first line has to name the columns: kind, module, symbol, declaration,"
          + " since, state, rule"
      ])
  }

  @Test func aConformanceNamesItsTypeAndItsProtocol() throws {
    var fixture = Fixture()
    fixture.rows[4] = fixture.rows[4].replacingOccurrences(
      of: "extension Publishers.Merge:", with: "extension Merge:")
    #expect(
      try fixture.problems() == [
        "api.tsv:6: the declaration of `Publishers.Merge: Equatable` has to begin with `extension"
          + " Publishers.Merge: Equatable`"
      ])
  }

  /// The library's symbol adds nothing to a line's own problem, whatever it looks like.
  @Test(arguments: [
    // Too few columns, no tabs, no sentence, and a type with members.
    (3, "|Makes one of both sides.", ""), (3, "|", " "), (3, "Makes one of both sides.", "Yes."),
    (2, "|present", "|presents"),
  ])
  func aSymbolWithAnUnreadableRowIsNeitherMissingNorWithoutARow(
    index: Int, from: String, to: String
  ) throws {
    var fixture = Fixture()
    try #require(fixture.rows[index].contains(from))
    fixture.rows[index] = fixture.rows[index].replacingOccurrences(of: from, with: to)
    let problems = try fixture.problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("api.tsv:\(index + 2): ") == true)
  }

  @Test func unreadableRowsComeBeforeDifferences() throws {
    var fixture = Fixture()
    fixture.symbols.append(.init(kind: "func", path: "g()", declaration: "func g()"))
    fixture.remove("Publishers.Merge.init(_:_:)")
    fixture.rows[6] = "func"
    fixture.rows.append("func|Streams|f()|func f()|iOS 13|there|Does a thing.")
    let beginnings = try fixture.problems().map { $0.split(separator: " ")[0] }
    #expect(
      beginnings == [
        "api.tsv:8:", "api.tsv:9:", "api.tsv:5:", "api.tsv:1:", "api.tsv:1:",
      ])
  }

  private static let columnProblem =
    "api.tsv:1: the first line has to name the columns: kind, module, symbol, declaration,"
    + " since, state, rule"

  @Test(arguments: [
    ("", columnProblem), ("\n", columnProblem), ("kind\tname\nfunc\tf()\n", columnProblem),
    (
      APITable.columns.joined(separator: "\t") + "\n",
      "api.tsv:1: the table has no rows: add one for each symbol of Combine"
    ),
    (
      APITable.columns.joined(separator: "\t") + "\nfunc\n",
      "api.tsv:2: a row has 7 columns, and this one has 1"
    ),
  ])
  func aTableThatCannotBeReadIsComparedWithNothing(text: String, problem: String) throws {
    let comparison = Comparison(
      try Fixture().library(), table: APITable(text, file: "api.tsv"))
    #expect(comparison.problems.map(\.description) == [problem])
    #expect(comparison.summary == nil)
  }

  @Test func linesMayEndAsOnWindows() throws {
    let fixture = Fixture()
    let text = fixture.tableText.replacingOccurrences(of: "\n", with: "\r\n")
    let comparison = Comparison(
      try fixture.library(), table: APITable(text, file: "api.tsv"))
    #expect(comparison.problems == [])
    #expect(comparison.summary == "api: 7 rows, 7 present, 0 different; 0 missing")
  }

  @Test func aRowStandsOnlyOnce() {
    var fixture = Fixture()
    fixture.rows.append(fixture.rows[3])
    #expect(
      fixture.table.problems.map(\.description) == [
        "api.tsv:9: `Publishers.Merge.init(_:_:)` with this declaration stands in line 5 already"
      ])
  }

  @Test func rulesOfDifferentSymbolsDiffer() {
    var fixture = Fixture()
    fixture.rows = [
      "func|Streams|Publisher.map(_:)|func map(_ a: Int)|iOS 13|present|Does a thing.",
      "func|Streams|Just.map(_:)|func map(_ a: Int)|iOS 13|present|Does a thing.",
      "func|Streams|Publisher.filter(_:)|func filter(_ a: Int)|iOS 13|present|Does a thing.",
    ]
    #expect(
      fixture.table.problems.map(\.description) == [
        "api.tsv:4: the rule of `Publisher.filter(_:)` is that of `Just.map(_:)` in line 3: say what"
          + " this one does"
      ])
  }

  @Test func theProjectsTableIsWellFormed() throws {
    let root = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../reference").standardized
    let text = try String(
      contentsOf: root.appendingPathComponent("combine-api.tsv"), encoding: .utf8)
    let table = APITable(text, file: "combine-api.tsv")
    #expect(table.problems.isEmpty)
    #expect(table.rows.count > 850)
  }
}
