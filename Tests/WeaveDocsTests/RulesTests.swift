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

  @Test func `a page below docs/scenarios needs a scenario`() {
    #expect(
      problems(Fixture.tree(["docs/scenarios/old.md": "# Old\n\nIt was.\n"])) == [
        "docs/scenarios/old.md:1: this page has no scenario: add its name to the scenarios in"
          + " Package.swift"
      ])
  }

  @Test func `a scenario's folder needs a name in the manifest, but a package of its own`() {
    let tree = Fixture.tree([
      "Scenarios/new/main.swift": "", "Scenarios/server/main.swift": "",
      "Scenarios/server/Package.swift": "",
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
        "@Suite struct SumTests {\n  @Test func addsUp() {}\n  func helper(\n    a: Int) {}\n}\n",
      "docs/page.md": """
      # Page

      `SumTests.addsUp` and `SumTests`, in `CartTests`,
      but `SumTests.subtracts` isn't in `SumTests.swift`.
      `ProductTests.addsUp` isn't there, nor `QuotientTests`.

      """,
    ])
    #expect(
      problems(tree) == [
        "docs/page.md:4: the test SumTests.subtracts doesn't exist: name an existing one",
        "docs/page.md:5: the suite ProductTests doesn't exist: name an existing one",
        "docs/page.md:5: the suite QuotientTests doesn't exist: name an existing one",
      ])
  }

  @Test func `a test belongs to the suite around it, and helpers aren't tests`() {
    let tree = Fixture.tree([
      "Tests/CartTests/SumTests.swift": """
      @Suite(.serialized) @MainActor struct SumTests {
        @Test(arguments: ["@Test func quoted()"])
        func addsUp(a: String) {}
        @Test func `adds two`() {}
        struct OddTests {
          @Test @MainActor func addsOdd() {}
        }
        @Test func isLast() {}
        func helper() {}
      }
      final class RoundingTests {
        @Test
        @MainActor func rounds() {}
      }
      let source = \"""
        struct TextTests {
        \"""

      """,
      "Tests/CartTests/MoreSumTests.swift": "extension SumTests {\n  @Test func addsMore() {}\n}\n",
      "docs/page.md": """
      `SumTests.addsUp`, `` SumTests.`adds two` ``, `SumTests.isLast`, `SumTests.addsMore`,
      `OddTests.addsOdd`, `RoundingTests.rounds` and `CartTests` exist.
      `SumTests.helper`
      `SumTests.rounds`
      `SumTests.addsOdd`
      `SumTests.quoted`
      `OddTests.isLast`
      `RoundingTests.addsUp`
      `` SumTests.`adds three` ``
      `TextTests`
      `CartTests.addsUp`

      """,
    ])
    let missing = [
      "test SumTests.helper", "test SumTests.rounds", "test SumTests.addsOdd",
      "test SumTests.quoted", "test OddTests.isLast", "test RoundingTests.addsUp",
      "test SumTests.`adds three`", "suite TextTests", "suite CartTests",
    ]
    #expect(
      problems(tree)
        == missing.enumerated().map {
          "docs/page.md:\($0 + 3): the \($1) doesn't exist: name an existing one"
        })
  }

  @Test func `a suite that a page names has a name of its own`() {
    let suite = "struct SumTests {\n  @Test func addsUp() {}\n}\n"
    let tree = Fixture.tree([
      "Tests/CartTests/SumTests.swift": suite, "Scenarios/server/Tests/A/SumTests.swift": suite,
      "Tests/CartTests/OtherTests.swift": "struct OtherTests {}\n",
      "Tests/OldTests/OtherTests.swift": "struct OtherTests {}\n",
      "docs/page.md": "`OtherTests`\n",
    ])
    tree.links["Tests/OldTests/OtherTests.swift"] = "../CartTests/OtherTests.swift"
    #expect(problems(tree) == [], "a link to a file isn't another suite")
    tree.files["docs/page.md"] = "See `SumTests`\nor `SumTests.addsUp`.\n"
    let complaint =
      "SumTests could be the suite in Scenarios/server/Tests/A/SumTests.swift or in"
      + " Tests/CartTests/SumTests.swift: rename one"
    #expect(problems(tree) == ["docs/page.md:1: \(complaint)", "docs/page.md:2: \(complaint)"])
  }

  @Test(arguments: [
    ("It holds (`addsUp`).", 1), ("It holds (Test: `SumTests.addsUp`,\n`addsUp`).", 2),
    ("It holds (Tests:\n`addsUp` and `SumTests.addsUp`, among others).", 2),
    ("(`SumTests` and `addsUp`)", 1),
    ("([A](a(b).md), (`addsUp`\nin [SumTests](../Tests/CartTests/SumTests.swift)))", 1),
    ("- ) a\n- b ( c\n- (`addsUp`)", 3), ("| a | b (`addsUp`) |", 1),
  ])
  func `a test in parentheses has its suite`(text: String, line: Int) {
    #expect(
      problems(Self.cart(page: text)) == [
        "docs/page.md:\(line): addsUp in parentheses reads as a test: write it as Suite.addsUp, or"
          + " say what it is"
      ])
  }

  @Test(arguments: [
    "(`demand`), (`receive(on:)`), (`SumTests.addsUp`, `SumTests`), (use `addsUp`), `(addsUp)`",
    "(Test: `SumTests.addsUp`), ([`addsUp`](README.md)), (`addsUp` in seconds), `a`, (\n\n`addsUp`)",
    "[a](README.md), (`addsUp` in [the course](README.md)), \\(`addsUp`), (``), ()",
    "```text\n(`addsUp`)\n```",
  ])
  func `other code in parentheses is left alone`(text: String) {
    #expect(problems(Self.cart(page: text)) == [])
  }

  private static func cart(page: String) -> MemoryTree {
    Fixture.tree([
      "Tests/CartTests/SumTests.swift": "struct SumTests {\n  @Test func addsUp() {}\n}\n",
      "docs/a(b).md": "", "docs/page.md": page + "\n",
    ])
  }

  @Test func `a quarter of a scenario's page explains`() {
    func page(prose: Int, _ rest: String = "<details>\n") -> String {
      "# Load a page\n\n" + String(repeating: "Words.\n", count: prose)
        + "\n```text\n$ run\n$ run\n```\n\n| a |\n\n\(rest)<!-- write: A. -->\n"
    }
    func found(_ page: String) -> [String] {
      problems(Fixture.tree(["docs/scenarios/load-page.md": page]))
    }
    func complaint(_ counts: String) -> [String] {
      [
        "docs/scenarios/load-page.md:1: only \(counts) lines explain, and a quarter should: show less"
          + " output, or explain more"
      ]
    }
    #expect(found(page(prose: 3)) == [])
    #expect(found(page(prose: 2, "")) == [], "2 of 8 are a quarter")
    #expect(found(page(prose: 2)) == complaint("2 of 9"))
    let blocks = ["navigation", "sources"].map { "<!-- \($0) -->\n" }
    #expect(
      found(page(prose: 1, blocks.joined())) == complaint("1 of 7"), "links don't count")
    #expect(problems(Fixture.tree(["docs/page.md": page(prose: 0)])) == [])
  }

  @Test func `pictures and their text don't count as lines that don't explain`() {
    let text =
      "<details><summary>The same as text</summary>\n\n```text\n1\n2\n3\n```\n\n</details>\n"
    let page = "# Load a page\n\nWords.\n\n| a |\n| a |\n\n"
    #expect(problems(Fixture.tree(["docs/scenarios/load-page.md": page + text])) == [])
    #expect(
      problems(Fixture.tree(["docs/scenarios/load-page.md": page + text + "\n| a |\n"])) == [
        "docs/scenarios/load-page.md:1: only 1 of 5 lines explain, and a quarter should: show less"
          + " output, or explain more"
      ])
  }

  @Test func `answers stand at the end of a page`() {
    func found(_ page: String) -> [String] {
      problems(Fixture.tree(["docs/scenarios/load-page.md": page + "\nA.\n\nB.\n"]))
    }
    let questions = "A? ([Answer 1](#answer-1))\n\nB? ([Answer 2](#answer-2), [1](#answer-1))\n"
    let answer = "<details><summary>A?</summary>\n\n[1](#answer-1)\n\n</details>\n"
    let first = "\n### Answer 1\n\n\(answer)"
    let second = "\n### Answer 2\n\n\(answer)"
    let start = "\n## Answers\n"
    let page = "docs/scenarios/load-page.md"
    #expect(found(questions + start + first + second) == [])
    #expect(
      found("A? ([Answer 2](#answer-2))\n" + start + first + second) == [
        "\(page):1: questions link 1 answers, and there are 2",
        "\(page):1: this question links #answer-1",
      ])
    #expect(
      found(questions + start + second + first) == [
        "\(page):7: expected '### Answer 1' below '## Answers'",
        "\(page):15: expected '### Answer 2' below '## Answers'",
      ])
    #expect(
      found(questions + start + first + second + "\n## See also\n")
        == ["\(page):23: '## Answers' is the last section: move this above it"])
    #expect(
      found("A? ([Answer 1](#answer-1))\n\(start)\n### Answer 1\n")
        == ["\(page):7: an answer is folded: write <details> below its heading"])
    #expect(
      found("A?\n\n<details><summary>Answer</summary>\n")
        == ["\(page):3: answers stand below '## Answers': link them from their questions"])
  }

  @Test func `a package needs a course`() {
    let tree = Fixture.tree(["README.md": ""])
    tree.files["docs/README.md"] = nil
    #expect(problems(tree) == ["docs/README.md:1: no such file"])
  }

  @Test(arguments: [
    (
      "[a](b.md)", "the link b.md is broken: there is no file docs/b.md"
    ),
    (
      "![a](<../a b.svg>)", "the link ../a b.svg is broken: there is no file a b.svg"
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
