import Testing

@testable import weave_docs

/// The rules for sentences. Those of the fixture have at most 8 words.
struct WordsSentenceTests {
  private func long(_ count: Int, _ beginning: String, line: Int = 1) -> String {
    "docs/a.md:\(line): a sentence of \(count) words: at most 8 (it begins \"\(beginning) …\")"
  }

  @Test func `the limit itself is fine`() {
    #expect(WordsFixture.findings(page: "One two three four five six seven eight.\n") == [])
    #expect(
      WordsFixture.findings(page: "One two three four five six seven eight nine.\n") == [
        long(9, "One two three four")
      ])
  }

  @Test(arguments: [
    ("a `b c d` e f g h https://a.b/c?d=e 1,000.5", "a `b c d` e f"),
    ("a-b c's d/e f.g h 6.3.1 7_8 [i](j k)", "a-b c's d/e f.g"),
    ("a – b, c; d—(e) f g \"h\"", "a – b, c; d"),
    ("a <https://b.c/d> c d e f g h", "a <https://b.c/d> c d"),
    ("<b>a</b> b <!-- x y --> c d e f g h", "a</b> b <!-- x y --> c d"),
  ])
  func `code, URLs, numbers and compounds are one word each`(text: String, beginning: String) {
    #expect(WordsFixture.findings(page: text) == [])
    #expect(WordsFixture.findings(page: text + " and") == [long(9, beginning)])
  }

  @Test(arguments: [
    "A b c d e. F g h i j.", "A b c d e! F g h i j.", "A b c d e? F g h i j.",
    "A b c d e… F g h i j.", "A b c d e.) F g h i j.", "A b c \"d e.\" F g h i j.",
    "A b c d **e.** F g h i j.", "A b c d e. `f` g h i j.", "A b c d e.\nF g h i j.",
    "A b c d e: f g h\n\ni j k l", "- A b c d e\n- F g h i j", "1. A b c d e\n2. F g h i j",
    "A b c d e\n# F g h i\nj k l m n", "A b c d e<br>f g h i j",
  ])
  func `a mark, a capital letter and a block end a sentence`(text: String) {
    #expect(WordsFixture.findings(page: text) == [])
  }

  @Test(arguments: [
    ("A b c d e. f g h i j.", 10, "A b c d"), ("A b, e.g. C d, i.e. E f g h.", 10, "A b, e.g. C"),
    ("A b c d 3.5 e f g h.", 9, "A b c d"), ("A \"b c. D e? F\" g h i.", 9, "A \"b c. D"),
    ("A b c.d e f g h i j.", 9, "A b c.d e"), ("**A** *b*\nc d e f g h i", 9, "A b c d"),
    ("A b c d - e f g h i", 9, "A b c d"), ("A b c etc., D e f g h.", 9, "A b c etc"),
    ("A b c d\n2. e f g h i", 10, "A b c d"),
  ])
  func `other marks don't end a sentence`(text: String, count: Int, beginning: String) {
    #expect(WordsFixture.findings(page: text) == [long(count, beginning)])
  }

  @Test func `a long sentence is reported where it begins`() {
    #expect(
      WordsFixture.findings(page: "Short.\nShort. One two\nthree four five\nsix seven eight nine")
        == [long(9, "One two three four", line: 2)])
  }

  @Test(arguments: [
    ("What remains is dropped.", "What"), ("Who asks gets it.", "Who"), ("What's left", "What"),
    ("A b. What c.", "What"), ("- What c", "What"), ("**What** c.", "What"),
    ("A b.\n\nWho c. Does it?", "Who"),
  ])
  func `a sentence that begins with a bare word is reported`(text: String, word: String) {
    let line = text.hasPrefix("A b.\n") ? 3 : 1
    #expect(
      WordsFixture.findings(page: text) == [
        "docs/a.md:\(line): a sentence that begins with \"\(word)\": name it, or ask a question"
      ])
  }

  @Test(arguments: [
    "What remains?", "Who asks (and why)?", "What **is it?**", "So what remains is dropped.",
    "Whatever remains.", "Whole.", "# What if", "[What if](a.md) is a page.", "`What` is a word.",
    "\"What\" is a word.", "| What | Who |\n| --- | --- |\n| a | b |\n", "what remains",
  ])
  func `questions, headings, links and quotations may`(text: String) {
    #expect(WordsFixture.findings(page: text) == [])
  }
}
