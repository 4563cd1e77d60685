import Testing

@testable import weave_docs

struct PageParserTests {
  @Test(arguments: [
    (
      "list",
      "unknown directive 'list': expected one of code, snapshot, diff, scenarios,"
        + " symbols, navigation, sources"
    ),
    (
      "",
      "unknown directive '': expected one of code, snapshot, diff, scenarios, symbols,"
        + " navigation, sources"
    ),
    ("code", "'code' isn't a directive: expected code FILE[#REGION] [folded \"SUMMARY\"]"),
    (
      "code A.swift#",
      "'code A.swift#' isn't a directive: expected code FILE[#REGION] [folded \"SUMMARY\"]"
    ),
    (
      "snapshot A lines 3-1",
      "'snapshot A lines 3-1' isn't a directive: expected snapshot FILE[#\"PART\"]"
        + " [lines FIRST-LAST] [folded \"SUMMARY\"]"
    ),
    (
      "snapshot A lines 1-2-3",
      "'snapshot A lines 1-2-3' isn't a directive: expected snapshot FILE[#\"PART\"]"
        + " [lines FIRST-LAST] [folded \"SUMMARY\"]"
    ),
    (
      "diff A",
      "'diff A' isn't a directive: expected diff FILE[#\"PART\"] FILE[#\"PART\"]"
        + " [folded \"SUMMARY\"]"
    ),
    ("scenarios all", "'scenarios all' isn't a directive: expected scenarios"),
    ("navigation on", "'navigation on' isn't a directive: expected navigation"),
    ("sources a b", "'sources a b' isn't a directive: expected sources [SCENARIO]"),
    ("snapshot A#\"b c", "'snapshot A#\"b c' has no closing quotation mark"),
  ])
  func `a directive that is not understood is reported`(directive: String, problem: String) {
    #expect(problems(Fixture.tree(block: directive)) == ["docs/page.md:1: \(problem)"])
  }

  @Test(arguments: [
    (
      "text\n<!-- weave: scenarios -->\n",
      ["docs/page.md:2: the block 'scenarios' has no end: close it with <!-- /weave -->"]
    ),
    (
      "<!-- weave: scenarios -->\n<!-- weave: scenarios -->\n<!-- /weave -->\n",
      ["docs/page.md:1: the block 'scenarios' has no end: close it with <!-- /weave -->"]
    ),
    ("<!-- /weave -->\n", ["docs/page.md:1: <!-- /weave --> has no block to close"]),
    (
      "<!-- weave scenarios -->\n<!-- weave: scenarios\n<!-- /weave: scenarios -->\n",
      (1...3).map {
        "docs/page.md:\($0): this isn't a marker: expected <!-- weave: DIRECTIVE --> or"
          + " <!-- /weave -->"
      }
    ),
  ])
  func `markers that do not fit are reported`(page: String, expected: [String]) {
    #expect(problems(Fixture.tree(["docs/page.md": page])) == expected)
  }

  @Test(arguments: ["```swift", "~~~ swift", "> ``` Swift ignored", "   ````swift"])
  func `Swift outside a block is reported`(fence: String) {
    let problem =
      ":2: Swift code outside a woven block: mark a region in tested code, and weave it with"
      + " <!-- weave: code FILE#REGION -->"
    let page = "Look:\n\(fence)\nlet a = 1\n````\n~~~\n"
    let tree = Fixture.tree(["docs/a/page.md": page, "README.md": page, "CHANGELOG.md": page])
    #expect(problems(tree) == ["README.md\(problem)", "docs/a/page.md\(problem)"])
  }

  @Test func `a page can show a directive in a code block`() {
    let page = """
      ````text
      <!-- weave: nonsense -->
      ```swift
      <!-- /weave -->
      ````
      and ``<!-- weave: in a line -->``

      """
    let tree = Fixture.tree(["docs/page.md": page])
    #expect(problems(tree) == [])
    #expect(Weaver(tree).pages.allSatisfy { !$0.isStale })
  }

  @Test func `a snapshot can hold the end of a block`() {
    let tree = Fixture.tree(block: "snapshot S.txt", ["S.txt": "<!-- /weave -->\n```\n"])
    #expect(woven(tree) == ["````text", "<!-- /weave -->", "```", "````"])
    #expect(WeaveCommand.run([]) { _ in tree }.status == 0)
    #expect(woven(tree) == ["````text", "<!-- /weave -->", "```", "````"])
  }

  @Test func `what stood in a block is replaced and all else stays`() {
    let page = "\n\na  \n<!-- weave: code A.swift -->\nold\n<!-- /weave -->\n\n\nb"
    let tree = Fixture.tree(["docs/page.md": page, "A.swift": "new\n"])
    #expect(
      Weaver(tree).pages.first { $0.path == "docs/page.md" }?.text
        == "\n\na  \n<!-- weave: code A.swift -->\n```swift\nnew\n```\n<!-- /weave -->\n\n\nb\n")
  }
}
