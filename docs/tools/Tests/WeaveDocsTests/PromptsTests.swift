import Testing

@testable import weave_docs

struct PromptsTests {
  private func check(_ changes: [String: String]) -> WeaveCommand.Outcome {
    WeaveCommand.run(["--check"], in: Fixture.tree(changes))
  }

  @Test func `prompts in pages and sources of scenarios are still to write`() {
    let page = "# Load a page\n\n<!-- write: The idea. -->\n\nIt arrives.\n"
    let source = "Scenario(\"load-page\", \"A.\")\nif true {\n  // write: A part. And more.\n}\n"
    let course = """
      <!-- course -->
      1. [Load](scenarios/load-page.md): a <!-- write: In a few words. -->
      2. [Share](scenarios/share-load.md)

      """
    let outcome = check([
      "docs/scenarios/load-page.md": page, "Scenarios/load-page/main.swift": source,
      "docs/README.md": "# The course\n\n" + course,
    ])
    #expect(
      outcome.errors == [
        "Scenarios/load-page/main.swift:3: still to write: A part. And more.",
        "docs/README.md:4: still to write: In a few words.",
        "docs/scenarios/load-page.md:3: still to write: The idea.",
        "weave-docs: 3 problems, replace what stands there, then remove each of these comments",
      ])
    #expect(outcome.status == 1)
  }

  @Test func `other pages and other comments aren't prompts`() {
    let outcome = check([
      "docs/page.md": "Write `<!-- write: A. -->` or\n<!-- write: A. -->\n",
      "Scenarios/load-page/Page.swift": "let write = 1  // write: it\n// I write: it\n",
    ])
    #expect(outcome.status == 0)
  }

  @Test func `make docs writes a page that has prompts`() {
    let page = "<!-- write: A. -->\n<!-- navigation -->\n\nIt arrives.\n"
    let tree = Fixture.tree(["docs/scenarios/load-page.md": page])
    let outcome = WeaveCommand.run([], in: tree)
    #expect(
      outcome.output == ["wrote docs/scenarios/load-page.md", "4 pages, 0 pictures, 1 written"])
  }
}
