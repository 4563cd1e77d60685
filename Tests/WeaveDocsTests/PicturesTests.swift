import Testing

@testable import weave_docs

/// The pictures of parts: their files, and their blocks in pages.
struct PicturesTests {
  private static let snapshot = "Tests/ScenarioTests/Snapshots/load-page/svg.txt"
  private static let folder = "docs/pictures/load-page"
  private static let page = "docs/scenarios/load-page.md"

  private static func svg(_ title: String, width: Int = 400, _ description: String = "") -> String {
    "<svg width=\"\(width)\">\n<title>\(title)</title><desc>\(description)</desc>\n<g/>\n</svg>\n"
  }

  private let first = svg("First", "A request. Then\n a &lt;page&gt; &amp; &quot;more&quot;.")
  private let second = svg("With share(), \"twice\"", "With share() one. Two.")
  private let narrow = svg("With share(), \"twice\"", width: 300, "Narrow.")

  private func tree(_ pictures: String? = nil, page: String = "") -> MemoryTree {
    let tree = Fixture.tree([
      Self.snapshot: pictures ?? first + second + narrow,
      Self.page: "# Load a page\n\n\(page)\nIt arrives.\n\nIn time.\n",
    ])
    return tree
  }

  private let block = "<picture><img src=\"../pictures/load-page/first.svg\"></picture>\n"
  private let other =
    "<picture>\n<img src=\"../pictures/load-page/with-share-twice.svg\">\n</picture>\n"

  @Test func `each part has a file, and a narrow one if there are two`() {
    let tree = tree(page: block + "\n" + other)
    let written = WeaveCommand.run([]) { _ in tree }
    let names = ["first", "with-share-twice", "with-share-twice-narrow"]
    #expect(
      Set(written.output)
        == Set(
          ["wrote \(Self.page)", "4 pages, 3 pictures, 4 written"]
            + names.map { "wrote \(Self.folder)/\($0).svg" }))
    #expect(names.map { tree.files["\(Self.folder)/\($0).svg"] } == [first, second, narrow])
    #expect(
      tree.files[Self.page] == """
        # Load a page

        <picture>
          <img src="../pictures/load-page/first.svg" alt="First: A request.">
        </picture>

        <picture>
          <source media="(max-width: 520px)" srcset="../pictures/load-page/with-share-twice-narrow.svg">
          <img src="../pictures/load-page/with-share-twice.svg" alt="With share(), &quot;twice&quot;: With share() one.">
        </picture>

        It arrives.

        In time.

        """)
    #expect(WeaveCommand.run(["--check"]) { _ in tree }.output == ["4 pages up to date"])
    #expect(WeaveCommand.run([]) { _ in tree }.output == ["4 pages, 3 pictures, 0 written"])
  }

  @Test
  func `pictures that are stale, missing or left over fail the check, and make docs mends them`() {
    let tree = tree(page: block + "\n" + other)
    _ = WeaveCommand.run([]) { _ in tree }
    tree.files["\(Self.folder)/first.svg"] = first + "\n"
    tree.files["\(Self.folder)/with-share-twice.svg"] = nil
    tree.files["\(Self.folder)/old.svg"] = second
    #expect(
      WeaveCommand.run(["--check"]) { _ in tree }
        == WeaveCommand.Outcome(
          errors: [
            "\(Self.folder)/first.svg:1: stale: the run draws another",
            "\(Self.folder)/with-share-twice.svg:1: missing: make docs would write it",
            "\(Self.folder)/old.svg:1: no run draws this picture: make docs would remove it",
            "weave-docs: 3 problems, run make docs",
          ], status: 1))
    #expect(
      WeaveCommand.run([]) { _ in tree }.output == [
        "wrote \(Self.folder)/first.svg", "wrote \(Self.folder)/with-share-twice.svg",
        "removed \(Self.folder)/old.svg", "4 pages, 3 pictures, 2 written",
      ])
    #expect(WeaveCommand.run(["--check"]) { _ in tree }.status == 0)
    #expect(tree.files["\(Self.folder)/old.svg"] == nil)
  }

  @Test func `a scenario's page shows the picture of each part`() {
    let tree = tree(page: block)
    _ = WeaveCommand.run([]) { _ in tree }
    #expect(
      WeaveCommand.run(["--check"]) { _ in tree }.errors == [
        "\(Self.page):1: the picture of 'With share(), \"twice\"' isn't shown: add <picture><img"
          + " src=\"../pictures/load-page/with-share-twice.svg\"></picture>",
        "weave-docs: 1 problem, show each part's picture, then run make docs",
      ])
  }

  @Test func `other pages can show a picture too`() {
    let tree = tree()
    tree.files["README.md"] =
      "  <picture><img src=\"docs/pictures/load-page/first.svg\"></picture>\n"
    #expect(
      Weaver(tree).pages.first { $0.path == "README.md" }?.text == """
          <picture>
            <img src="docs/pictures/load-page/first.svg" alt="First: A request.">
          </picture>

        """)
  }

  @Test(arguments: [
    (
      "load-page/third.svg",
      "no picture third.svg of 'load-page': choose one of first.svg, with-share-twice.svg"
    ),
    (
      "share-load/first.svg",
      "'share-load' has no pictures: there is no snapshot svg.txt (make record writes snapshots)"
    ),
    (
      "first.svg",
      "docs/pictures/first.svg isn't a picture of a part: those are"
        + " docs/pictures/SCENARIO/PART.svg"
    ),
    ("../../../a.svg", "the picture pictures/../../../a.svg leads out of the package"),
  ])
  func `a picture that does not exist is reported`(path: String, problem: String) {
    let tree = tree()
    tree.files["docs/page.md"] = "a\n\n<picture><img src=\"pictures/\(path)\"></picture>\n"
    #expect(problems(tree).contains("docs/page.md:3: \(problem)"))
  }

  @Test func `a picture names a file`() {
    let tree = tree()
    tree.files["docs/page.md"] = "<picture></picture>\n"
    #expect(
      problems(tree) == [
        "docs/page.md:1: this picture names no file: expected <picture><img"
          + " src=\"PATH/docs/pictures/SCENARIO/PART.svg\">"
      ])
  }

  @Test(arguments: [
    ("a\n", 1, "expected <svg, not 'a'"),
    ("<svg>\n", 1, "this picture has no end"),
    ("<svg>\n<svg>\n", 2, "the picture before this one has no end"),
    (
      "<svg>\n</svg>\n", 1,
      "this picture has no <title>: it should be the heading of its part"
    ),
    (
      svg("A b") + svg("A, b"), 5,
      "a third picture 'docs/pictures/load-page/a-b.svg': give each part a title of its own"
    ),
    (
      svg("A") + svg("A") + svg("A"), 9,
      "a third picture 'docs/pictures/load-page/a.svg': give each part a title of its own"
    ),
  ])
  func `a snapshot that isn't a list of pictures is reported`(
    text: String, line: Int, problem: String
  ) {
    #expect(problems(tree(text)) == ["\(Self.snapshot):\(line): \(problem)"])
  }

  @Test(arguments: [
    ("With share()", "with-share"), ("RunLoop.main", "runloop-main"), ("a: b, c!", "a-b-c"),
    ("Né 2", "n-2"),
  ])
  func `a file's name follows from the title`(title: String, name: String) {
    #expect(Pictures.slug(of: title) == name)
  }
}
