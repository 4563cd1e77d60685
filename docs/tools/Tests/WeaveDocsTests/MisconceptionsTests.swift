import Testing

@testable import weave_docs

struct MisconceptionsTests {
  private let list = "# Misconceptions\n\n## share replays\n\nIt passes on what comes now.\n"
  private let link = "The belief behind a wrong answer: [a](../misconceptions.md#share-replays)."

  private func question(_ number: Int = 1) -> String {
    "**Predict:** Is there a second request? Say it\nfirst. ([Answer \(number)](#answer-\(number)))\n"
  }

  private func answers(_ texts: String...) -> String {
    let answers = texts.enumerated().map { index, text in
      "### Answer \(index + 1)\n\n<details><summary>Is there?</summary>\n\n\(text)\n\n</details>\n"
    }
    return "## Answers\n\n" + answers.joined(separator: "\n")
  }

  private func problems(_ page: String, list: String? = nil, exercise: String = "") -> [String] {
    let tree = Fixture.tree([
      "docs/misconceptions.md": list ?? self.list,
      "docs/scenarios/load-page.md": "# Load a page\n\n\(page)",
      "docs/exercises/three-readers.md": "# Exercise\n\n\(exercise)\n",
    ])
    return Weaver(tree).problems.map(\.description)
  }

  private func unnamed(_ line: Int) -> String {
    "docs/scenarios/load-page.md:\(line): the answer to this question doesn't name the belief behind"
      + " a wrong one: link a heading of docs/misconceptions.md in its fold"
  }

  private let unasked =
    "docs/misconceptions.md:3: no answer and no exercise leads to this misconception: link"
    + " #share-replays from one, or remove it"

  @Test func `a question whose answer names a belief is fine`() {
    #expect(problems("\(question())\n\(answers("No.\n\n" + link))") == [])
  }

  @Test func `an answer may stand right below its question`() {
    let fold = "<details><summary>Is there?</summary>\n\nNo. \(link)\n\n</details>\n"
    #expect(problems("**Predict:** Is there a second request?\n\n\(fold)") == [])
  }

  @Test func `each answer names a belief of its own`() {
    let page = "\(question())\n\(question(2))\n\(answers(link, "No."))"
    #expect(problems(page) == [unnamed(6)])
    #expect(problems("**Predict:** Is there?\n\n\(question())\n\(answers(link))") == [unnamed(3)])
  }

  @Test func `a link in open text doesn't count`() {
    #expect(problems("\(link)\n\n\(question())\n\(answers("No."))") == [unasked, unnamed(5)])
  }

  @Test func `a link leads to a heading that exists`() {
    let page = "\(question())\n\(answers(link))"
    #expect(
      problems(page, list: "# Misconceptions\n") == [
        "docs/scenarios/load-page.md:12: the link ../misconceptions.md#share-replays is broken:"
          + " docs/misconceptions.md has no heading #share-replays"
      ])
  }

  @Test func `each misconception is asked about, or has an exercise`() {
    #expect(problems("It arrives.\n") == [unasked])
    #expect(problems("It arrives.\n", exercise: link) == [])
  }
}
