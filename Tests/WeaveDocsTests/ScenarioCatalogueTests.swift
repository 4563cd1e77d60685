import Testing

@testable import weave_docs

struct ScenarioCatalogueTests {
  private func catalogue(_ changes: [String: String]) -> (names: [String], problems: [String]) {
    var problems: [Problem] = []
    let catalogue = ScenarioCatalogue(Fixture.tree(changes), problems: &problems)
    return (catalogue.scenarios.map(\.name), problems.map(\.description))
  }

  @Test func `the array may stand on one line`() {
    let (names, problems) = catalogue([
      "Package.swift":
        "let scenarios = [\"load-page\", \"share-load\"]  // \"more\"\nlet a = [\"b\"]"
    ])
    #expect(names == ["load-page", "share-load"])
    #expect(problems == [])
  }

  @Test(arguments: [
    ("Scenario(\"load-page\", \"A.\")", "A."),
    ("// Scenario(\"x\", \"B.\")\ntry await Scenario( \"load-page\" ,\n\n  \"A \\\\.\" )", "A \\."),
    ("MyScenario(\"x\", \"B.\"); Scenario(name: \"load-page\", summary: \"A.\").run()", "A."),
  ])
  func `the summary is read from the source`(source: String, summary: String) {
    #expect(ScenarioDeclaration(in: source.lines)?.name == "load-page")
    #expect(ScenarioDeclaration(in: source.lines)?.summary == summary)
  }

  @Test(arguments: [
    "", "Scenario(name, \"A.\")", "Scenario(\"load-page\")", "Scenario(\"a\\(b)\",",
  ])
  func `a scenario without a plain name and summary is reported`(source: String) {
    #expect(
      catalogue(["Scenarios/load-page/main.swift": source]).problems == [
        "Scenarios/load-page/main.swift:1: no Scenario(\"load-page\", \"SUMMARY\")"
          + " with two plain string literals"
      ])
  }

  @Test func `a scenario has the name of its folder`() {
    #expect(
      catalogue(["Scenarios/load-page/main.swift": "\nScenario(\"page\", \"A.\")"]).problems == [
        "Scenarios/load-page/main.swift:2: the scenario is named 'page',"
          + " but its folder 'load-page'"
      ])
  }

  @Test func `a scenario has a main file`() {
    #expect(
      catalogue(["Package.swift": "let scenarios = [\n\"a\"\n]"]).problems
        == ["Package.swift:2: scenario 'a' has no Scenarios/a/main.swift"])
  }

  @Test func `a manifest without the array is reported`() {
    #expect(
      catalogue(["Package.swift": "let package = 1\n"]).problems == [
        "Package.swift:1: no list of scenarios:"
          + " expected a line that starts with 'let scenarios = ['"
      ])
  }
}
