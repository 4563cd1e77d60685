import Testing
import Timeline
import VirtualTime

@testable import weave_docs

/// The pages in `docs/recipes`: their rules, their index and their pictures.
struct RecipesTests {
  private static let page = "docs/recipes/load-once.md"
  private static let index = "docs/recipes/README.md"
  private static let source = "Tests/Recipes/Sources/Recipes/Loading/LoadOnce.swift"
  private static let test = "Tests/Recipes/Tests/RecipesTests/LoadOnceTests.swift"
  private static let snapshots = "Tests/Recipes/Tests/RecipesTests/Snapshots/load-once"

  private static let recording = Timeline.Recording(parts: [
    Timeline.Recording.Part(
      title: "One request",
      events: [
        Timeline.Event(
          number: 1, time: .zero, place: 1, lane: .operator("share"), kind: .value("2"))
      ])
  ])

  private static let text = """
    # Load once

    Shares a load.

    You need it if:

    - the request is
      sent twice
    - it's slow

    ## The recipe

    ```swift LoadOnce.swift#recipe
    ```

    <picture><img src="../pictures/recipes/load-once/one-request.svg"></picture>

    ```text one-request.txt
    ```

    ```swift LoadOnceTests.swift#test
    ```

    <!-- sources -->

    """

  private static let files = [
    source: "// region: recipe\nlet load = load.share()\n// endregion\n",
    test: """
    // region: test
    let load = load
      .lane("load")
      .share()
    // endregion
    """,
    "\(snapshots)/one-request.txt": recording.marbles(),
    "\(snapshots)/one-request-trace.txt": recording.trace(),
    index: "# Recipes\n\n<!-- recipes -->\n",
    page: text,
  ]

  private func tree(_ changes: [String: String?] = [:]) -> MemoryTree {
    let tree = Fixture.tree(Self.files)
    for (path, text) in changes { tree.files[path] = text }
    return tree
  }

  private func problems(_ changes: [String: String?]) -> [String] {
    Weaver(tree(changes)).problems.map(\.description)
  }

  @Test func `the index lists what readers see, and the page its code and tests`() {
    let tree = tree()
    let outcome = WeaveCommand.run([], in: tree)
    #expect(outcome.errors == [])
    #expect(
      tree.files[Self.index] == """
        # Recipes

        <!-- recipes -->

        ### Load, keep and refresh

        - [Load once](load-once.md): the request is sent twice · it's slow

        """)
    let page = tree.files[Self.page] ?? ""
    #expect(page.contains("#recipe\nlet load = load.share()\n```\n"))
    #expect(page.contains("#test\nlet load = load\n  .share()\n```\n"))
    #expect(page.contains("one-request.txt\n# One request\n"))
    #expect(!page.contains("Not to scale"))
    #expect(page.contains("recipes/load-once/one-request.svg\" alt=\"One request. Times: 0ms."))
    #expect(
      page.hasSuffix(
        """
        <!-- sources -->
        Source: [LoadOnce.swift](../../\(Self.source)) · \
        Test: [LoadOnceTests.swift](../../\(Self.test))

        """))
    #expect(WeaveCommand.run(["--check"], in: tree).errors == [])
  }

  @Test func `a picture that the page doesn't show fails the check`() {
    let tree = tree([
      Self.page: Self.text.replacing(/<picture>.*<\/picture>/, with: "Nothing.")
    ])
    _ = WeaveCommand.run([], in: tree)
    #expect(
      WeaveCommand.run(["--check"], in: tree).errors.first?.hasPrefix(
        "\(Self.page):1: the picture of 'One request' isn't shown") == true)
  }

  @Test func `a page needs a heading, signs, code and tests`() {
    let page = "Nothing.\n"
    #expect(
      problems([Self.page: page, Self.source: nil, Self.test: nil]) == [
        "\(Self.page):1: begin with a heading: # Retry with back-off",
        "\(Self.page):1: it needs one file of code, Tests/Recipes/Sources/Recipes/SECTION/NAME.swift,"
          + " where NAME is that of the page, and SECTION one of Requests, Loading, Input, Bridges,"
          + " Operators, OwnTypes",
        "\(Self.page):1: it needs one file of tests, Tests/Recipes/Tests/RecipesTests/NAMETests.swift,"
          + " where NAME is that of the page",
        "\(Self.page):1: say when a reader needs it: a line \"You need it if:\", and below it a list"
          + " of what one sees",
        "\(Self.page):1: show the region recipe: a code block whose first line ends in #recipe",
        "\(Self.page):1: show the region test: a code block whose first line ends in #test",
      ])
  }

  @Test func `code in an unknown section, and parts without a page, are problems`() {
    let other = "Tests/Recipes/Sources/Recipes/Other/LoadOnce.swift"
    #expect(
      problems([Self.source: nil, other: Self.files[Self.source]]).map { $0.prefix(70) } == [
        "\(Self.page):1: it needs one file of code, Tests/Recipes/"
      ])
    let spare = [
      "Tests/Recipes/Sources/Recipes/Loading/LoadTwice.swift",
      "Tests/Recipes/Tests/RecipesTests/LoadTwiceTests.swift",
      "Tests/Recipes/Tests/RecipesTests/Snapshots/load-twice/two-requests.txt",
    ]
    #expect(
      problems([spare[0]: "", spare[1]: "", spare[2]: ""])
        == spare.map {
          "\($0):1: this part of a recipe has no page: write docs/recipes/load-twice.md, or remove it"
        })
  }
}
