import Testing

@testable import weave_docs

struct ScenarioCatalogueTests {
  private func catalogue(_ changes: [String: String]) -> (names: [String], problems: [String]) {
    var problems: [Problem] = []
    let catalogue = ScenarioCatalogue(Fixture.tree(changes), problems: &problems)
    return (catalogue.scenarios.map(\.name), problems.map(\.description))
  }

  @Test(arguments: [
    ("Scenario(\"load-page\", \"A.\")", "A."),
    ("// Scenario(\"x\", \"B.\")\nawait Scenario(\n\"load-page\",\n\n  \"A \\\\.\" )", "A \\."),
    ("MyScenario(\"x\", \"B.\"); Scenario(\"load-page\", \"\\\"A\\\".\").run()", "\"A\"."),
  ])
  func `the summary is read from the source`(source: String, summary: String) {
    var problems: [Problem] = []
    let tree = Fixture.tree(["Scenarios/load-page/main.swift": source])
    #expect(ScenarioCatalogue(tree, problems: &problems)["load-page"]?.summary == summary)
    #expect(problems == [])
  }

  @Test(arguments: [
    "", "Scenario(name, \"A.\")", "Scenario(\"load-page\")", "Scenario(\"a\\(b)\",",
    "Scenario(\"page\", \"A.\")",
  ])
  func `a scenario without a plain name and summary is reported`(source: String) {
    #expect(
      catalogue(["Scenarios/load-page/main.swift": source]).problems == [
        "Scenarios/load-page/main.swift:1: no Scenario(\"load-page\", \"SUMMARY\")"
          + " with two plain string literals"
      ])
  }

  @Test func `a scenario has a main file`() {
    #expect(
      catalogue(["Package.swift": "let scenarios = [\n\"a\"\n]"]).problems
        == ["Package.swift:2: scenario 'a' has no Scenarios/a/main.swift"])
  }

  @Test(arguments: ["let package = 1\n", "let scenarios = [\"a\"]\n"])
  func `a manifest without the array is reported`(manifest: String) {
    #expect(
      catalogue(["Package.swift": manifest]).problems == [
        "Package.swift:1: no list of scenarios: expected lines 'let scenarios = [' and ']', with a"
          + " name on each line between them"
      ])
  }
}
