import Testing

@testable import weave_docs

/// How much of a path a block needs.
struct SourceFilesTests {
  private func tree(_ source: String, on page: String = "docs/page.md") -> MemoryTree {
    let opening = source.hasSuffix(".txt") ? "```text " : "```swift "
    let prose = page.hasPrefix("docs/scenarios/") ? "\n\n1. a\n2. b\n" : ""
    return Fixture.tree([
      page: opening + source + "\n```\n" + prose,
      "Sources/Streams/Map.swift": "map\n", "Sources/Other/Filter.swift": "one\n",
      "Tests/StreamsTests/Filter.swift": "two\n",
      "Sources/Streams/Scan.swift": "scan\n",
      "Scenarios/load-page/Map.swift": "mine\n",
    ])
  }

  private func content(_ source: String, on page: String = "docs/page.md") -> [String] {
    return Array(woven(tree(source, on: page), page: page).dropFirst().prefix { $0 != "```" })
  }

  @Test(arguments: [
    ("Streams/Map.swift", "map"), ("Scan.swift", "scan"), ("Sources/Streams/Map.swift", "map"),
    ("Other/Filter.swift", "one"), ("StreamsTests/Filter.swift", "two"),
    ("share-load/transcript.txt", "# First"),
  ])
  func `the end of a path is enough`(source: String, content: String) {
    #expect(self.content(source).first == content)
  }

  @Test func `on a scenario's page, its own files come first`() {
    let page = "docs/scenarios/load-page.md"
    #expect(content("Map.swift", on: page) == ["mine"])
    #expect(content("Page.swift", on: page) == ["struct Page {}"])
    #expect(content("marble.txt", on: page) == ["--a|"])
    #expect(content("share-load/transcript.txt", on: page).contains("300ms  shared page"))
  }

  @Test func `a name that several files have is reported`() {
    #expect(
      problems(tree("Filter.swift")) == [
        "docs/page.md:1: Filter.swift could be Sources/Other/Filter.swift,"
          + " Tests/StreamsTests/Filter.swift: write more of its path"
      ])
    let many = tree("main.swift")
    for name in ["a", "b", "c"] { many.files["Sources/\(name)/main.swift"] = "" }
    #expect(
      problems(many) == [
        "docs/page.md:1: main.swift could be Scenarios/load-page/main.swift,"
          + " Scenarios/share-load/main.swift, Sources/a/main.swift and 2 more: write more of its"
          + " path"
      ])
  }
}
