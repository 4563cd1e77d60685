import Testing

@testable import weave_docs

struct PartOrderTests {
  private func problems(_ page: String) -> [String] {
    let tree = Fixture.tree([
      "Scenarios/load-page/main.swift": """
      let scenario = Scenario("load-page", "One request loads a page.")
      // region: first
      scenario.part("First") { _ in }
      // endregion
      // region: second
      scenario.part("The \\"second\\"") { _ in }
      // endregion
      """,
      "docs/scenarios/load-page.md": page,
    ])
    return WeaveCommand.run(["--check"], in: tree).errors.filter { $0.contains("the page shows") }
  }

  private let first = "```swift main.swift#first\nscenario.part(\"First\") { _ in }\n```\n"
  private let second =
    "```swift main.swift#second\nscenario.part(\"The \\\"second\\\"\") { _ in }\n```\n"

  @Test func `parts in the order of the program are fine`() {
    #expect(problems("# Load\n\n\(first)\n\(second)") == [])
    #expect(problems("# Load\n\n\(second)") == [])
  }

  @Test func `another order is a problem`() {
    #expect(
      problems("# Load\n\n\(second)\n\(first)") == [
        "docs/scenarios/load-page.md:3: the page shows \"The \\\"second\\\"\" before \"First\", and the"
          + " program has them the other way round: move one of them"
      ])
  }
}
