import Testing

@testable import weave_docs

struct EffortTests {
  private let page = """
    # load-page: load a page

    Before this: [first-stream](first-stream.md) and
    [demand](demand.md#x), which explain it.

    \(String(repeating: "word ", count: 340))

    ```swift
    one
    two

    three
    ```

    **Predict:** How many? ([Answer 1](#answer-1))

    <details><summary>More</summary>

    \(String(repeating: "folded ", count: 3_000))

    </details>

    ## Exercise

    Try it.

    ## Answers

    \(String(repeating: "answer ", count: 3_000))
    """

  @Test func `open text, code, questions and the exercise take minutes`() {
    // 362 words, 3 lines of code, a question and an exercise: 2.01 + 0.12 + 1.5 + 3.
    #expect(Effort(page: page.lines).description == "7 minutes, after first-stream, demand")
    let twice = page.replacing("**Predict:**", with: "**Predict:** One.\n\n**Predict:**")
    #expect(Effort(page: twice.lines).minutes == 8)
  }

  @Test func `a page of a minute says nothing`() {
    #expect(Effort(page: ["# A", "", "Short."]).description == nil)
  }

  @Test func `the list of the course says so, once`() {
    let tree = Fixture.tree(["docs/scenarios/load-page.md": page])
    let lines = ["<!-- course -->", "7. [load-page](scenarios/load-page.md): load a page"]
    let completed = Course.completed(lines, in: tree)
    #expect(
      completed == [
        "<!-- course -->",
        "1. [load-page](scenarios/load-page.md): load a page"
          + " _(7 minutes, after first-stream, demand)_",
      ])
    #expect(Course.completed(completed, in: tree) == completed)
  }
}
