import TestSupport
import Testing

@testable import ScenarioKit

@Suite struct SourceFilesTests {
  static let text = """
    import ScenarioKit

    // region: load

    // note: Counts twice,
    //   as you see.
    //   And this is a remark of its own.
    subject
      .lane("subject")
      .map { value in
        // A plain comment.
        value
      }
      .lane("map")
      .sink { _ in }
    // endregion: load

    done()

    """

  let file = SourceFiles.File(name: "main.swift", text: text)

  @Test func marksAndLanesAreLeftOut() {
    let shown = file.lines.map { "\($0.number) \($0.text)" }
    #expect(
      shown == [
        "1 import ScenarioKit", "2 ", "5 // Counts twice,", "6 // as you see.",
        "7 // And this is a remark of its own.", "8 subject", "10   .map { value in",
        "11     // A plain comment.", "12     value", "13   }", "15   .sink { _ in }", "17 ",
        "18 done()",
      ])
  }

  /// A lane shows the operator above it, and an operator with braces is marked where it begins.
  @Test(arguments: [(9, 8), (14, 10), (10, 10), (12, 12), (13, 10), (15, 15), (16, 15), (18, 18)])
  func aLaneMarksTheOperatorAboveIt(line: Int, shown: Int) {
    #expect(file.shownLine(for: line) == shown)
  }

  @Test func aLineBeforeAllCodeHasNoOperator() {
    let file = SourceFiles.File(name: "a.swift", text: "// A comment.\n.lane(\"a\")\n")
    #expect(file.shownLine(for: 2) == nil)
  }

  @Test func readsTheFilesOfItsModuleOnly() throws {
    let folder = try TemporaryFolder()
    try folder.write("one()\n", to: "main.swift")
    try folder.write("two()", to: "Server.swift")
    let sources = SourceFiles(
      mainPath: folder.url.appendingPathComponent("main.swift").path, mainID: "app/main.swift")
    let two = SourceFiles.File(name: "Server.swift", text: "two()")
    #expect(sources.read("app/Server.swift") == two)
    #expect(sources.read("app/main.swift")?.lines == [.init(number: 1, text: "one()")])
    #expect(sources.read("app/Missing.swift") == nil)
    #expect(sources.read("Streams/main.swift") == nil)
  }
}
