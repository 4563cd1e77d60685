import Foundation
import Testing

@testable import weave_docs

/// How the lists and the limit are read from the style page.
struct WordsStylePageTests {
  private func problems(_ changes: (old: String, new: String)...) -> [String] {
    var page = WordsFixture.style
    for change in changes {
      page = page.split(separator: change.old, omittingEmptySubsequences: false)
        .joined(separator: change.new)
    }
    return WordsFixture.findings([StylePage.path: page, "README.md": "Anew."])
      .map { String($0.dropFirst(StylePage.path.count)) }
  }

  @Test func `the page is needed`() {
    let outcome = WeaveCommand.run(["--words"]) { _ in MemoryTree(["Package.swift": ""]) }
    #expect(
      outcome
        == WeaveCommand.Outcome(
          errors: [
            "docs/contributing/style.md:1: no such file",
            "weave-docs: 1 problem with words",
          ], status: 1))
  }

  @Test func `both lists and the limit are needed`() {
    #expect(
      WordsFixture.findings([StylePage.path: "# Style\n"]) == [
        "docs/contributing/style.md:1: no limit for sentences: expected \"at most N words\" in one"
          + " line",
        "docs/contributing/style.md:1: no list of terms between <!-- terms --> and <!-- /terms -->",
        "docs/contributing/style.md:1: no list of words between <!-- words --> and <!-- /words -->",
      ])
  }

  @Test func `a list that isn't closed is reported where it opens`() {
    #expect(
      problems(("<!-- /terms -->", "")) == [
        ":10: the list of terms is never closed with <!-- /terms -->"
      ])
  }

  @Test(arguments: [
    ("| Not | Write |\n", ""), ("| --- | --- |\n", ""), ("| anew", "anew"),
    ("| whoever", "<!-- /words -->\n| whoever"),
  ])
  func `a list is a table`(old: String, new: String) {
    #expect(
      problems((old, new)).first
        == ":3: the list of words isn't a table: expected a header, a row of dashes and a row for"
        + " each entry")
  }

  @Test(arguments: [
    ("| anew |", "| anew | x |", ":8: expected 2 cells, found 3"),
    ("| anew | \"again\", \"once more\" |", "| anew |", ":8: expected 2 cells, found 1"),
    ("| anew |", "| anew, |", ":8: an empty entry"),
    ("| anew |", "| |", ":8: an empty entry"),
    ("| \"again\", \"once more\" |", "| |", ":8: an empty entry"),
    ("| anew |", "| Whoever |", ":8: \"Whoever\" is listed already, at line 6"),
    ("| time-out,", "| anew,", ":13: \"anew\" is listed already, at line 8"),
    ("| anew |", "| … |", ":8: \"…\" never matches: expected words without punctuation"),
    ("| anew |", "| a/b |", ":8: \"a/b\" never matches: expected words without punctuation"),
    ("\"again\"", "\"whoever\"", ":8: \"whoever\" is advice, but line 6 lists it"),
    ("\"again\"", "\"Url\"", ":8: \"Url\" is advice, but line 14 lists it"),
    (
      "at most 8 words", "short",
      ":1: no limit for sentences: expected \"at most N words\" in one line"
    ),
    (
      "at most 8 words.", "at most 8 words.\nA title has at most 3 words.",
      ":18: a second limit for sentences: line 17 has one already"
    ),
    ("at most 8 words", "at most 0 words", ":17: the limit for sentences is below 1"),
    (
      "at most 8 words", "at most 99999999999999999999999 words",
      ":17: the limit for sentences is too large"
    ),
    ("\"once more\"", "\"once more", ":8: a quotation mark is never closed"),
    ("| anew |", "| \"anew |", ":8: a quotation mark is never closed"),
    (
      "<!-- /terms -->", "<!-- /terms -->\n<!-- words -->",
      ":16: a second list of words: line 3 has one already"
    ),
  ])
  func `a row that can't be right is reported`(old: String, new: String, problem: String) {
    #expect(problems((old, new)) == [problem])
  }

  @Test func `the advice is shown, and quoted words are ready to write`() {
    #expect(
      WordsFixture.findings(page: "whoever\n\nanew\n\nis no") == [
        "docs/a.md:1: \"whoever\": say it, plainly",
        "docs/a.md:3: \"anew\": write \"again\", \"once more\"",
        "docs/a.md:5: \"is no\": write \"isn't a\"; \"there is no\" and \"is no longer\" are fine",
      ])
  }

  @Test func `terms pair up if both sides have as many`() {
    #expect(
      WordsFixture.findings(page: "time-out\n\nrunloop\n\ncall-back\n") == [
        "docs/a.md:1: \"time-out\": write \"timeout, as one word\"",
        "docs/a.md:3: \"runloop\": write \"run loop\"",
        "docs/a.md:5: \"call-back\": write \"URL\", and so on",
      ])
  }

  @Test func `the project's page can be read, and keeps its rules itself`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = DiskTree(root: root)
    let text = try #require(try page.text(of: StylePage.path))
    #expect(WordsFixture.findings([StylePage.path: text]) == [])
    let style = StylePage(page)
    #expect(style.longestSentence == 36)
    #expect(style.entries.count { $0.advice != nil } > 60)
  }
}
