import Testing

@testable import weave_docs

struct PageParserTests {
  @Test(arguments: [
    ("```swift A.swift#", "can't read 'swift A.swift#': expected ```LANGUAGE FILE[#REGION]"),
    (
      "```swift A.swift lines 1",
      "can't read 'swift A.swift lines 1': expected ```LANGUAGE FILE[#REGION]"
    ),
    (
      "```text A.txt lines 3-1",
      "can't read 'text A.txt lines 3-1': expected ```text FILE.txt[#\"PART\"] [lines FIRST-LAST]"
    ),
    (
      "```text A.txt lines 1-2-3",
      "can't read 'text A.txt lines 1-2-3': expected ```text FILE.txt[#\"PART\"] [lines FIRST-LAST]"
    ),
    (
      "```swift A.txt",
      "can't read 'swift A.txt': expected ```text FILE.txt[#\"PART\"] [lines FIRST-LAST]"
    ),
    (
      "```diff A.txt",
      "can't read 'diff A.txt': expected ```diff FILE.txt[#\"PART\"] FILE.txt[#\"PART\"]"
    ),
    (
      "```text A.txt#\"b c",
      "can't read 'text A.txt#\"b c': expected ```LANGUAGE FILE[#REGION]"
    ),
    (
      "```text Package.swift",
      "the language of Package.swift is swift, not text: write ```swift"
    ),
  ])
  func `a block that is not understood is reported`(opening: String, problem: String) {
    #expect(problems(Fixture.tree(block: opening)) == ["docs/page.md:1: \(problem)"])
  }

  @Test(arguments: ["scenarios all", "recipes all", "sources a b"])
  func `a list that is not understood is reported`(text: String) {
    #expect(
      problems(Fixture.tree(block: "<!-- \(text) -->")) == [
        "docs/page.md:1: can't read '<!-- \(text) -->': expected one of"
          + " <!-- navigation -->, <!-- purposes -->, <!-- recipes -->, <!-- scenarios -->,"
          + " <!-- sources [SCENARIO] -->"
      ])
  }

  @Test(arguments: [
    (
      "text\n```text A.txt\na\n",
      "docs/page.md:2: the block 'text A.txt' has no end, or stands in a quotation: close it with ```,"
        + " or take it out"
    ),
    (
      "> ```text A.txt\n> ```\n",
      "docs/page.md:1: the block 'text A.txt' has no end, or stands in a quotation: close it with ```,"
        + " or take it out"
    ),
    ("a\n\n<picture>\n", "docs/page.md:3: this <picture> has no end: close it with </picture>"),
    (
      "<!-- navgation -->\n",
      "docs/page.md:1: unknown comment 'navgation': expected one of navigation,"
        + " purposes, recipes, scenarios, sources [SCENARIO]"
    ),
  ])
  func `what does not fit is reported`(page: String, problem: String) {
    #expect(problems(Fixture.tree(["docs/page.md": page])) == [problem])
  }

  @Test(arguments: ["```swift", "~~~ swift", "> ``` Swift", "   ````swift"])
  func `Swift without a source is reported`(fence: String) {
    let problem =
      ":2: Swift code without a source: mark a region in tested code, and name it after the"
      + " language, as in ```swift FILE#REGION"
    let page = "Look:\n\(fence)\nlet a = 1\n````\n~~~\n"
    let tree = Fixture.tree(["docs/a/page.md": page, "README.md": page, "CHANGELOG.md": page])
    #expect(problems(tree) == ["README.md\(problem)", "docs/a/page.md\(problem)"])
  }

  @Test func `a page can show blocks in a code block`() {
    let page = """
      ````text
      <!-- nonsense -->
      ```swift nonsense
      <picture>
      ```
      ````
      and ``<!-- sources in a line -->``

      """
    let tree = Fixture.tree(["docs/page.md": page])
    #expect(problems(tree) == [])
    #expect(Weaver(tree).pages.allSatisfy { !$0.isStale })
  }

  @Test func `a snapshot can hold the end of a block`() {
    let tree = Fixture.tree(block: "```text S.txt", ["S.txt": "<!-- sources -->\n```\n"])
    #expect(woven(tree) == ["````text", "<!-- sources -->", "```", "````"])
    #expect(WeaveCommand.run([], in: tree).status == 0)
    #expect(woven(tree) == ["````text", "<!-- sources -->", "```", "````"])
  }

  @Test func `what stood in a block is replaced and all else stays`() {
    let text = "\n\na  \n```swift A.swift\nold\n```\n\n\nb"
    let tree = Fixture.tree(["docs/page.md": text, "A.swift": "new\n"])
    #expect(page(of: tree) == "\n\na  \n```swift A.swift\nnew\n```\n\n\nb\n")
  }

  @Test(arguments: [
    ("b", "b"), ("```text\nb\n```", "```text\nb\n```"), ("1. b", "1. b"), ("", ""),
  ])
  func `notes are replaced, and what follows stays`(text: String, expected: String) {
    let old = "```swift A.swift\nold  // (1)\nolder  // (2)\n```\n\n1. One,\n   wrapped.\n2. Two.\n"
    let tree = Fixture.tree([
      "docs/page.md": old + "\n\(text)\n", "A.swift": "// note: Three.\nnew\n",
    ])
    let new = "```swift A.swift\nnew  // (1)\n```\n\n1. Three.\n"
    #expect(page(of: tree) == new + "\n\(expected)\n")
    tree.files["docs/page.md"] = new + "\n\(text)\n"
    #expect(Weaver(tree).pages.allSatisfy { !$0.isStale }, "weaving again changes nothing")
    tree.files["A.swift"] = "newest\n"
    #expect(page(of: tree) == "```swift A.swift\nnewest\n```\n\n\(expected)\n")
  }

  @Test func `a list below code without notes is the author's`() {
    let text = "```swift A.swift\nold\n```\n\n1. Mine.\n"
    let tree = Fixture.tree(["docs/page.md": text, "A.swift": "new\n"])
    #expect(page(of: tree) == "```swift A.swift\nnew\n```\n\n1. Mine.\n")
  }

  @Test func `a list ends at an empty line, a heading or a comment`() {
    let table = "| Scenario | What it shows |\n| --- | --- |\n"
    for end in ["", "\nb", "# b", "<!-- write: B. -->"] {
      let tree = Fixture.tree(["docs/page.md": "a\n<!-- scenarios -->\nold\n\(end)\n"])
      let text = page(of: tree)
      #expect(text.hasPrefix("a\n<!-- scenarios -->\n\(table)"))
      #expect(text.hasSuffix("|\n\(end)\n") && !text.contains("old"), "\(text)")
    }
  }

  @Test func `purposes end at the next heading of a section`() {
    let tree = Fixture.tree([
      "docs/page.md": "<!-- purposes -->\n### Old\n\nOld.\n\n## See also\n"
    ])
    #expect(page(of: tree) == "<!-- purposes -->\n\n## See also\n")
  }

  private func page(of tree: MemoryTree) -> String {
    Weaver(tree).pages.first { $0.path == "docs/page.md" }?.text ?? ""
  }
}
