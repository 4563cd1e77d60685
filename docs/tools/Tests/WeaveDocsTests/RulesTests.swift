import Testing

@testable import weave_docs

/// The rules that hold for the pages as a whole.
struct RulesTests {
  @Test func `all is well in the fixture`() {
    #expect(problems(Fixture.tree) == [])
  }

  @Test func `a scenario needs a page and a place in the course`() {
    let tree = Fixture.tree([
      "docs/README.md":
        "# The course\n<!-- course -->\n[a](scenarios/load-page.md)\n"
    ])
    tree.files["docs/scenarios/share-load.md"] = nil
    #expect(
      problems(tree) == [
        "Package.swift:4: scenario 'share-load' has no page docs/scenarios/share-load.md",
        "docs/README.md:2: the course list doesn't have 'share-load': add a link to"
          + " scenarios/share-load.md",
      ])
  }

  @Test func `the manifest has the order of the course, whose numbers are written`() {
    let list = """
      # The course

      <!-- course -->
      1. [Share a load](scenarios/share-load.md)
      1. [Load a page](scenarios/load-page.md)

      """
    #expect(
      problems(Fixture.tree(["docs/README.md": list])) == [
        "Package.swift:3: the scenarios here and in docs/README.md have different orders: put"
          + " 'share-load' here, or move it there"
      ])
    let manifest = "let scenarios = [\n  \"share-load\",\n  \"load-page\",\n]\n"
    let tree = Fixture.tree(["docs/README.md": list, "Package.swift": manifest])
    #expect(WeaveCommand.run(["--check"], in: tree).status == 1)
    _ = WeaveCommand.run([], in: tree)
    #expect(
      tree.files["docs/README.md"] == list.replacing("1. [Load a page]", with: "2. [Load a page]"))
  }

  @Test func `the course may have sections, and one count`() {
    let list = """
      # The course

      <!-- course -->
      ### Basics

      1. [Share a load](scenarios/share-load.md)

      ### Loading

      1. [Load a page](scenarios/load-page.md)

      1. [This isn't in the list](scenarios/load-page.md)

      """
    let manifest = "let scenarios = [\n  \"share-load\",\n  \"load-page\",\n]\n"
    let tree = Fixture.tree(["docs/README.md": list, "Package.swift": manifest])
    _ = WeaveCommand.run([], in: tree)
    #expect(
      tree.files["docs/README.md"] == list.replacing("1. [Load a page]", with: "2. [Load a page]"))
  }

  @Test func `a page below docs/scenarios needs a scenario`() {
    #expect(
      problems(Fixture.tree(["docs/scenarios/old.md": "# Old\n\nIt was.\n"])) == [
        "docs/scenarios/old.md:1: this scenario isn't in Package.swift: add its name to the scenarios"
          + " there"
      ])
  }

  @Test func `a scenario's folder needs a name in the manifest`() {
    let tree = Fixture.tree([
      "Scenarios/new/main.swift": "", "Scenarios/server/Package.swift": "",
    ])
    #expect(
      problems(tree) == [
        "Scenarios/new/main.swift:1: this scenario isn't in Package.swift: add its name to the scenarios there"
      ])
  }

  @Test(arguments: [
    (
      "",
      "docs/README.md:1: the list of the course is missing: write it below <!-- course -->"
    ),
    (
      "<!-- course -->\n[a](scenarios/load-page.md)\n[b](scenarios/load-page.md#x)\n",
      "docs/README.md:3: scenarios/load-page.md#x is in the course list already, at line 2"
    ),
  ])
  func `the list of the course is well formed`(page: String, problem: String) {
    let tree = Fixture.tree(["docs/README.md": page, "README.md": ""])
    #expect(problems(tree).contains(problem), "\(problems(tree))")
  }

  @Test func `a test that a page names exists`() {
    let tree = Fixture.tree([
      "Tests/CartTests/SumTests.swift":
        "@Suite struct SumTests {\n  @Test func addsUp() {}\n  @Test func `adds two`() {}\n}\n",
      "Tests/CartTests/SumTests+More.swift":
        "extension SumTests {\n  @Test func addsMore() {}\n}\n",
      "Tests/CartTests/CartTests.swift": "struct RoundingTests {\n  @Test func rounds() {}\n}\n",
      "docs/page.md": """
      # Page

      `SumTests.addsUp` and `SumTests`, in `CartTests`,
      but `SumTests.subtracts` isn't in `SumTests.swift`.
      `ProductTests.addsUp` isn't there, nor `QuotientTests`.
      `` SumTests.`adds two` ``, `SumTests.addsMore` and `RoundingTests.rounds` are there,
      but `` SumTests.`adds three` `` isn't.

      """,
    ])
    #expect(
      problems(tree) == [
        "docs/page.md:4: the test SumTests.subtracts doesn't exist: name an existing one",
        "docs/page.md:5: the suite ProductTests doesn't exist: name an existing one",
        "docs/page.md:5: the suite QuotientTests doesn't exist: name an existing one",
        "docs/page.md:7: the test SumTests.`adds three` doesn't exist: name an existing one",
      ])
  }

  @Test func `a package needs a course`() {
    let tree = Fixture.tree(["README.md": ""])
    tree.files["docs/README.md"] = nil
    #expect(problems(tree) == ["docs/README.md:1: no such file: docs/README.md"])
  }

  @Test(arguments: [
    (
      "[a](b.md)", "the link b.md is broken: there is no file docs/b.md"
    ),
    ("[a](../../b.md)", "the link ../../b.md leads out of the package"),
    ("[a](/b.md)", "the link /b.md leads out of the package"),
    (
      "[a](README.md#there)",
      "the link README.md#there is broken: docs/README.md has no heading #there"
    ),
    ("[a](#there)", "the link #there is broken: docs/page.md has no heading #there"),
    ("[a]: b.md", "the link b.md is broken: there is no file docs/b.md"),
    ("<a href=\"b.md\">", "the link b.md is broken: there is no file docs/b.md"),
    ("<img src=\"b.svg\">", "the link b.svg is broken: there is no file docs/b.svg"),
    ("[`a`](b.md \"c\")", "the link b.md is broken: there is no file docs/b.md"),
    ("[![a](README.md)](b.md)", "the link b.md is broken: there is no file docs/b.md"),
    ("[![a](b.md)](README.md)", "the link b.md is broken: there is no file docs/b.md"),
  ])
  func `a link leads somewhere`(link: String, problem: String) {
    let tree = Fixture.tree(["docs/page.md": "# Page\n\nSee\n\(link)\n"])
    #expect(problems(tree) == ["docs/page.md:4: \(problem)"])
  }

  @Test func `a link that is broken over two lines is checked where it begins`() {
    let tree = Fixture.tree(["docs/page.md": "See [this\npage](b.md).\n"])
    #expect(
      problems(tree) == ["docs/page.md:1: the link b.md is broken: there is no file docs/b.md"])
  }

  @Test func `links that lead somewhere, elsewhere or are code are left alone`() {
    let page = """
      # A `b` & [c_d](README.md): é!
      ## Same #
      ## Same
      [1](#a-b--c_d-é) [2](#same-1) [3](#hand) <a name="x" id="hand"></a> [4](#x)
      [5](https://example.com/b.md) [6](mailto:a@example.com) [7](//example.com/b.md)
      [8](../Scenarios) [9](../Package.swift#L3) [10](scenarios/load-page.md#load-a-page) [11](..)
      [12](a%20b.md) [13](a(b).md) \\[14](no.md) `[15](no.md)` ``[16](`no.md)``
      A list [x] (no) [y]

      ```text
      [17](no.md)
      # Not a heading
      ```

      """
    let tree = Fixture.tree([
      "docs/page.md": page, "docs/a b.md": "", "docs/a(b).md": "",
    ])
    #expect(problems(tree) == [])
  }

  @Test func `links and headings in blocks count`() {
    let page = "[a](#see)\n```swift A.swift\n```\n"
    let source = "// note: # x [b](no.md)\na\n"
    #expect(
      problems(Fixture.tree(["docs/page.md": page, "A.swift": source])) == [
        "docs/page.md:1: the link #see is broken: docs/page.md has no heading #see",
        "docs/page.md:2: the link no.md is broken: there is no file docs/no.md",
      ])
  }

  @Test func `all problems are reported, in order and once`() {
    let source = "// endregion\n"
    let block = "```swift A.swift\n```\n"
    let tree = Fixture.tree([
      "A.swift": source, "docs/a.md": block + block + "[a](b.md)\n", "docs/b/c.md": "[a](d.md)\n",
    ])
    tree.files["docs/a.md"] = block + block + "[a](e.md)\n"
    #expect(
      problems(tree) == [
        "A.swift:1: this endregion has no region to close",
        "docs/a.md:5: the link e.md is broken: there is no file docs/e.md",
        "docs/b/c.md:1: the link d.md is broken: there is no file docs/b/d.md",
      ])
  }
}
