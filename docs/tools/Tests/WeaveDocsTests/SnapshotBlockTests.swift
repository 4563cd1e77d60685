import Testing

@testable import weave_docs

struct SnapshotBlockTests {
  @Test func `a snapshot is shown byte for byte`() {
    #expect(
      woven(Fixture.tree(block: "```text \(Fixture.transcript)")) == [
        "```text", "# First", "0  request", "300ms  page", "", "# Second", "600ms  page",
        "```",
      ])
  }

  @Test func `a part goes from its heading to the next`() {
    #expect(
      woven(Fixture.tree(block: "```text \(Fixture.transcript)#First")) == [
        "```text", "# First", "0  request", "300ms  page", "```",
      ])
    #expect(
      woven(Fixture.tree(block: "```text \(Fixture.transcript)#Second")) == [
        "```text", "# Second", "600ms  page", "```",
      ])
  }

  @Test func `a title may hold spaces and stand in quotation marks`() {
    let snapshot = "# Late one\nz\n# \"With share\"\na\n## b\n#c\n\n\n# With share 2\n"
    let tree = Fixture.tree(block: "```text S.txt#\"With share\"", ["S.txt": snapshot])
    #expect(woven(tree) == ["```text", "# \"With share\"", "a", "## b", "#c", "```"])
  }

  @Test func `a part of marble diagrams has no signs`() {
    let snapshot = """
      A: marbles.

      # First
                 0ms
      request A  (^A#|)

        #  failed: lost
        A  Not to scale: yes

      # Second
         0ms
      b  ^-5

      Not to scale: one column is one instant, and a line runs from ^ to the end.
        ^   subscribed, or request made
        ()  at one instant, in this order

      """
    func part(_ title: String) -> [String] {
      woven(Fixture.tree(block: "```text M.txt#\(title)", ["M.txt": snapshot]))
    }
    #expect(
      part("First") == [
        "```text", "# First", "           0ms", "request A  (^A#|)", "", "  #  failed: lost",
        "  A  Not to scale: yes", "```",
      ])
    #expect(part("Second") == ["```text", "# Second", "   0ms", "b  ^-5", "```"])
  }

  @Test func `lines are counted from one, within the part if there is one`() {
    #expect(
      woven(Fixture.tree(block: "```text \(Fixture.transcript) lines 2-3"))
        == ["```text", "0  request", "300ms  page", "```"])
    #expect(
      woven(Fixture.tree(block: "```text \(Fixture.transcript)#Second lines 2"))
        == ["```text", "600ms  page", "```"])
  }

  @Test func `a difference shows both names and the changed lines`() {
    #expect(
      woven(Fixture.tree(block: "```diff \(Fixture.transcript) \(Fixture.other)")) == [
        "```diff", "--- load-page/transcript.txt", "+++ share-load/transcript.txt",
        "@@ -1,6 +1,6 @@", " # First", " 0  request", "-300ms  page", "+300ms  shared page",
        " ", " # Second", " 600ms  page", "```",
      ])
  }

  @Test func `two parts of a file can be compared`() {
    let file = Fixture.transcript
    #expect(
      woven(Fixture.tree(block: "```diff \(file)#First \(file)#Second")) == [
        "```diff", "--- transcript.txt (First)", "+++ transcript.txt (Second)",
        "@@ -1,3 +1,2 @@", "-# First", "-0  request", "-300ms  page", "+# Second",
        "+600ms  page", "```",
      ])
  }

  @Test func `two spellings of a letter differ`() {
    let tree = Fixture.tree([
      "S.txt": "\u{E9}\n",
      "docs/page.md": "```text S.txt\ne\u{301}\n```\n",
    ])
    #expect(Weaver(tree).pages.compactMap(\.firstDifference).map(\.location.line) == [2])
  }

  @Test(arguments: [
    (
      "```text S.txt", "docs/page.md:1: no such file: S.txt (make record writes snapshots)"
    ),
    (
      "```diff S.txt \(Fixture.other)",
      "docs/page.md:1: no such file: S.txt (make record writes snapshots)"
    ),
    (
      "```text \(Fixture.transcript)#Third",
      "docs/page.md:1: no part 'Third' in \(Fixture.transcript): it has 'First', 'Second'"
    ),
    (
      "```text None.txt#Third",
      "docs/page.md:1: no part 'Third' in None.txt: it has none"
    ),
    ("```text Twice.txt#A", "docs/page.md:1: part 'A' stands 2 times in Twice.txt"),
    (
      "```text \(Fixture.transcript) lines 5-7",
      "docs/page.md:1: \(Fixture.transcript) has no line 7: there are 6 to choose from"
    ),
    (
      "```diff \(Fixture.transcript)#Second \(Fixture.other)#Second",
      "docs/page.md:1: there is no difference between \(Fixture.transcript)"
        + " and \(Fixture.other)"
    ),
  ])
  func `what cannot be shown is reported`(directive: String, problem: String) {
    let tree = Fixture.tree(block: directive, ["Twice.txt": "# A\n# A\n", "None.txt": "a\n"])
    #expect(problems(tree) == [problem])
  }
}
