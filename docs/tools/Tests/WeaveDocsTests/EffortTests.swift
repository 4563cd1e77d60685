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

    ### Answer 1

    <details><summary>How many?</summary>

    \(String(repeating: "answer ", count: 170))

      <img alt="\(String(repeating: "picture ", count: 3_000))">

    <details><summary>The same as text</summary>

    ```text
    \(String(repeating: "text\n", count: 300))
    ```

    </details>

    </details>

    <!-- sources -->
    \(String(repeating: "source ", count: 3_000))
    """

  @Test func `text, code, questions, the exercise and the answers take minutes`() {
    // 537 words, 3 lines of code, a question and an exercise: 2.98 + 0.12 + 1.5 + 3.
    #expect(Effort(page: page.lines).description == "8 minutes, after first-stream, demand")
    let twice = page.replacing("**Predict:**", with: "**Predict:** One.\n\n**Predict:**")
    #expect(Effort(page: twice.lines).minutes == 9)
    let longer = page.replacing("answer answer", with: String(repeating: "answer ", count: 8))
    #expect(Effort(page: longer.lines).minutes == 10)
  }

  @Test func `an exercise with a page takes what that page says`() {
    let more = "\n\nMore to try: [One](../exercises/one.md), [Two\nmore](../exercises/two.md)."
    let minutes = ["one": 4, "two": 5]
    func effort(_ exercise: String) -> Int {
      Effort(page: page.replacing("Try it.", with: exercise).lines) { minutes[$0] ?? 0 }.minutes
    }
    #expect(effort("Try it." + more) == 8 + 9)
    #expect(effort("Only this: [One](../exercises/one.md).") == 8 - 3 + 4)
    #expect(Effort.minutes(ofExercise: ["# Exercise 1", "", "About 12 minutes. It needs"]) == 12)
    #expect(Effort.minutes(ofExercise: ["# Exercise 1"]) == 0)
  }

  @Test func `an exercise that two pages list counts for the second one`() {
    let exercise = "## Exercises\n\nTry [One](../exercises/one.md).\n"
    let tree = Fixture.tree([
      "docs/scenarios/load-page.md": "# One\n\n\(exercise)",
      "docs/scenarios/other.md": "# Two\n\n\(exercise)",
      "docs/exercises/one.md": "# Exercise 1\n\nAbout 6 minutes.\n",
    ])
    let items = ["[load-page](scenarios/load-page.md)", "[other](scenarios/other.md)"]
    #expect(
      Course.completed(["<!-- course -->"] + items.map { "7. \($0)" }, in: tree)
        == ["<!-- course -->", "1. \(items[0])", "2. \(items[1]) _(6 minutes)_"])
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
          + " _(8 minutes, after first-stream, demand)_",
      ])
    #expect(Course.completed(completed, in: tree) == completed)
  }
}
