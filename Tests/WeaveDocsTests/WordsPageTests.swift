import Testing

@testable import weave_docs

/// Which parts of a page are read.
struct WordsPageTests {
  private func lines(_ page: String) -> [Int] {
    let findings = WordsFixture.findings(page: page)
    #expect(findings.allSatisfy { $0.hasSuffix(": \"anew\": write \"again\", \"once more\"") })
    return findings.compactMap { Int($0.split(separator: ":")[1]) }
  }

  @Test(arguments: [
    ("Anew.\n", [1]), ("\n\na\nanew\n", [4]), ("# Anew\n", [1]), ("###### Anew #\n", [1]),
    ("- anew\n* anew\n+ anew\n1. anew\n2) anew\n", [1, 2, 3, 4, 5]),
    ("- a\n\n      anew\n", [3]), ("| anew | b |\n| --- | :-: |\n| c | anew |\n", [1, 3]),
    ("||\n|| anew\n", [2]), ("a\n     anew\n", [2]), ("`a\nb`\nanew\n", [3]),
    ("<a\nhref=\"b\">\nanew\n", [3]), ("[a](b\nc)\nanew\n", [3]),
    ("<details><summary>Anew</summary>\n\nAnew.\n\n</details>\n", [1, 3]),
    ("   <details><summary>in place</summary>of\n", []), ("a <!-- anew --> anew\n", [1]),
  ])
  func `paragraphs, headings, items, cells and details are read`(page: String, expected: [Int]) {
    #expect(lines(page) == expected)
  }

  @Test(arguments: [
    ("```text\nanew\n```\nanew\n", [4]), ("a\n~~~\nanew\n\nanew\n~~~\nanew", [7]),
    ("- a\n  ```text\n  anew\n  ```\n", []), ("a\n\n    anew\n    anew\n\nanew\n", [6]),
    ("> anew\n> anew\n\nanew\n", [4]), ("<!-- anew -->\nanew", [2]),
    ("<!-- a\nanew\n-->\nanew\n", [4]), ("[anew]: a.md\nanew\n", [2]),
    ("in place\n===\nof", []), ("in place\n***\nof", []), ("in place\n```\n```\nof", []),
    ("- a\n\nb\n\n    anew", []), ("| \"a \\| anew\" |", []),
    ("| Not | b |\n| --- | --- |\n| anew | anew |\nanew\n", [4]),
    ("| Instead of |\n|---|\n| anew |\n\n| a |\n|---|\n| anew |\n", [7]),
    ("```swift A.swift\nb  // (1)\n```\n\n1. anew\n\nanew\n", [7]),
    ("<!-- sources -->\nanew\n\nanew\n", [4]),
  ])
  func `code, quotations, bad examples and woven blocks are not`(page: String, expected: [Int]) {
    #expect(lines(page) == expected)
  }

  @Test func `a cell of the body is a sentence, and each cell is one of its own`() {
    #expect(
      WordsFixture.findings(
        page: """
          | What a b c d e f g h i | b |
          | --- | --- |
          | a b c d e | f g h i j |
          | What it is | in place |
          | of |
          """) == [
          "docs/a.md:4: a sentence that begins with \"What\": name it, or ask a question"
        ])
  }
}
