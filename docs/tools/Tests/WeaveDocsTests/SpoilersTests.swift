import Testing

@testable import weave_docs

struct SpoilersTests {
  private func problems(open: String, question: String) -> [String] {
    let page = """
      # load-page

      \(open)

      **Predict:** \(question) ([Answer 1](#answer-1))

      ## Answers

      ### Answer 1

      <details><summary>What?</summary>

      ```text transcript.txt#"The page arrives"
      ```

      <picture><img src="../pictures/load-page/the-page-arrives.svg"></picture>

      </details>

      """
    let lines = page.lines.enumerated().map { WovenLine(text: $1, origin: $0 + 1) }
    let woven = WovenPage(path: "docs/scenarios/load-page.md", oldText: page, lines: lines)
    return Spoilers.problems(in: [woven]).map(\.description)
  }

  private let question = "What does it print? Run `swift run load-page --part 1`."

  @Test func `a page that folds its answers is fine`() {
    #expect(
      problems(open: "```text transcript.txt#\"Another part\"\n```", question: question) == [])
  }

  @Test func `a question names the command of its part`() {
    #expect(
      problems(open: "Text.", question: "What does it print?") == [
        "docs/scenarios/load-page.md:5: this question doesn't say how to run its part: add"
          + " `swift run load-page --part …`"
      ])
  }

  @Test(arguments: [
    "```text transcript.txt#\"The page arrives\"\n```",
    "```diff transcript.txt#\"Another part\" transcript.txt#\"The page arrives\"\n```",
  ])
  func `no open block shows a run that an answer folds`(block: String) {
    #expect(
      problems(open: block, question: question) == [
        "docs/scenarios/load-page.md:3: this shows the run of \"The page arrives\", which an answer"
          + " folds: leave it to the answer"
      ])
    #expect(problems(open: "<details>\n\n\(block)\n\n</details>", question: question) == [])
  }

  @Test func `no open picture shows it either`() {
    let picture = "<picture><img src=\"../pictures/load-page/the-page-arrives.svg\"></picture>"
    #expect(
      problems(open: picture, question: question) == [
        "docs/scenarios/load-page.md:3: this shows the picture"
          + " ../pictures/load-page/the-page-arrives.svg, which an answer folds: leave it to the answer"
      ])
  }
}
