import Testing

@testable import weave_docs

/// The blocks about scenarios: table, sources and navigation.
struct ScenarioBlockTests {
  private let table = ["| Scenario | What it shows |", "| --- | --- |"]
  private let loadRow = "| [load-page](scenarios/load-page.md) | One request loads a page. |"
  private let shareRow =
    #"| [share-load](scenarios/share-load.md) | Two subscribers \| one "request". |"#

  @Test func `the table links each scenario to its page`() {
    #expect(woven(Fixture.tree(block: "<!-- scenarios -->")) == table + [loadRow, shareRow])
  }

  @Test func `a scenario's page links its sources, snapshots and test`() {
    let path = "docs/scenarios/load-page.md"
    let page = "<!-- sources -->\n"
    let snapshots = "../../Tests/ScenarioTests/Snapshots/load-page"
    #expect(
      woven(Fixture.tree([path: page]), page: path) == [
        "Source: [main.swift](../../Scenarios/load-page/main.swift),"
          + " [Page.swift](../../Scenarios/load-page/Page.swift)"
          + " · Snapshots: [marble](\(snapshots)/marble.txt),"
          + " [transcript](\(snapshots)/transcript.txt)"
          + " · Test: [LoadPageTests.swift](../../Tests/ScenarioTests/LoadPageTests.swift)"
      ])
  }

  @Test func `another page links the scenario's page too, and the folder of the tests`() {
    #expect(
      woven(Fixture.tree(block: "<!-- sources share-load -->")) == [
        "Page: [share-load](scenarios/share-load.md)"
          + " · Source: [main.swift](../Scenarios/share-load/main.swift)"
          + " · Snapshots: [transcript](../\(Fixture.other))"
          + " · Test: [ScenarioTests](../Tests/ScenarioTests)"
      ])
  }

  @Test(arguments: [
    ("load-page", "[Course](../README.md) · [Share a load →](share-load.md)"),
    ("share-load", "[← Load a page](load-page.md) · [Course](../README.md)"),
  ])
  func `navigation leads to the neighbours in the course`(name: String, links: String) {
    let path = "docs/scenarios/\(name).md"
    let page = "<!-- navigation -->\n"
    #expect(woven(Fixture.tree([path: page]), page: path) == [links])
  }

  @Test(arguments: [
    (
      "<!-- navigation -->", "docs/page.md:1: this page isn't in the course list of docs/README.md"
    ),
    (
      "<!-- sources -->",
      "docs/page.md:1: this isn't a scenario's page: expected <!-- sources SCENARIO -->"
    ),
    (
      "<!-- sources save -->",
      "docs/page.md:1: no scenario 'save': choose one of load-page, share-load"
    ),
  ])
  func `a block on the wrong page is reported`(directive: String, problem: String) {
    #expect(problems(Fixture.tree(block: directive)) == [problem])
  }
}
