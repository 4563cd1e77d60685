import Foundation
import Testing
import Timeline
import TimelinePictures
import VirtualTime

@testable import weave_docs

/// The pictures of parts: their files, and their blocks in pages.
struct PicturesTests {
  private static let snapshots = "Tests/ScenarioTests/Snapshots/load-page"
  private static let folder = "docs/pictures/load-page"
  private static let page = "docs/scenarios/load-page.md"

  private static let recording = Timeline.Recording(parts: [
    part("First", count: 1), part("With share(), \"it's twice\"", count: 60),
    Timeline.Recording.Part(title: "Printed", events: [event(61, .printed("a"), in: .console)]),
  ])

  private static func part(_ title: String, count: Int) -> Timeline.Recording.Part {
    Timeline.Recording.Part(
      title: title,
      events: (1...count).map { event($0, .value("<\($0)>"), in: .operator("map")) })
  }

  private static func event(
    _ number: Int, _ kind: Timeline.Event.Kind, in lane: Timeline.Lane
  ) -> Timeline.Event {
    Timeline.Event(
      number: number, time: VirtualTime(nanoseconds: Int64(number) * 1_000_000), place: 1,
      lane: lane, kind: kind)
  }

  private let first = svg(0, "load-page: First", .wide)
  private let second = svg(1, "load-page: With share(), \"it's twice\"", .wide)
  private let narrow = svg(1, "load-page: With share(), \"it's twice\"", .narrow)

  /// A picture says what runs, because it also goes where its page doesn't.
  private static func svg(_ part: Int, _ title: String, _ style: Timeline.PictureStyle) -> String {
    recording.svg(part: part, title: title, style: style, limit: Pictures.limit)
  }

  private func tree(page: String = "") -> MemoryTree {
    Fixture.tree([
      "\(Self.snapshots)/trace.txt": Self.recording.trace(),
      Self.page: "# Load a page\n\n\(page)\nIt arrives.\n\nIn time.\n",
    ])
  }

  private let block = "<picture><img src=\"../pictures/load-page/first.svg\"></picture>\n"
  private let other =
    "<picture>\n<img src=\"../pictures/load-page/with-share-its-twice.svg\">\n</picture>\n"

  @Test func `each part has a file, and a narrow one if there are two`() {
    let tree = tree(page: block + "\n" + other)
    let written = WeaveCommand.run([], in: tree)
    let names = ["first", "with-share-its-twice", "with-share-its-twice-narrow"]
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
          <img src="../pictures/load-page/first.svg" alt="First. Times: 1ms. map: “&lt;1&gt;” at 1.">
        </picture>

        <picture>
          <source media="(max-width: 520px)" srcset="../pictures/load-page/with-share-its-twice-narrow.svg">
          <img src="../pictures/load-page/with-share-its-twice.svg" alt="With share(), &quot;it's twice&quot;. Times: 1 to 60ms. map: “&lt;1&gt;” at 1, 58 more events, “&lt;60&gt;” at 60.">
        </picture>

        It arrives.

        In time.

        """)
    #expect(WeaveCommand.run(["--check"], in: tree).output == ["4 pages up to date"])
    #expect(WeaveCommand.run([], in: tree).output == ["4 pages, 3 pictures, 0 written"])
  }

  @Test
  func `pictures that are stale, missing or left over fail the check, and make docs mends them`() {
    let tree = tree(page: block + "\n" + other)
    _ = WeaveCommand.run([], in: tree)
    tree.files["\(Self.folder)/first.svg"] = first + "\n"
    tree.files["\(Self.folder)/with-share-its-twice.svg"] = nil
    tree.files["\(Self.folder)/old.svg"] = second
    #expect(
      WeaveCommand.run(["--check"], in: tree)
        == WeaveCommand.Outcome(
          errors: [
            "\(Self.folder)/first.svg:1: stale: make docs would write another picture",
            "\(Self.folder)/with-share-its-twice.svg:1: stale: make docs would write another picture",
            "\(Self.folder)/old.svg:1: no run draws this picture: make docs would remove it",
            "weave-docs: 3 problems, run make docs",
          ], status: 1))
    #expect(
      WeaveCommand.run([], in: tree).output == [
        "wrote \(Self.folder)/first.svg", "wrote \(Self.folder)/with-share-its-twice.svg",
        "removed \(Self.folder)/old.svg", "4 pages, 3 pictures, 2 written",
      ])
    #expect(WeaveCommand.run(["--check"], in: tree).status == 0)
    #expect(tree.files["\(Self.folder)/old.svg"] == nil)
  }

  @Test func `the picture of each part is shown`() {
    let tree = tree(page: block)
    _ = WeaveCommand.run([], in: tree)
    #expect(
      WeaveCommand.run(["--check"], in: tree).errors == [
        "\(Self.page):1: the picture of 'With share(), \"it's twice\"' isn't shown: add <picture><img"
          + " src=\"../pictures/load-page/with-share-its-twice.svg\"></picture>",
        "weave-docs: 1 problem, show each part's picture, then run make docs",
      ])
  }

  @Test func `a part's picture may stand on another page`() {
    let tree = tree(page: block)
    tree.files["docs/reference.md"] =
      "<picture><img src=\"pictures/load-page/with-share-its-twice.svg\"></picture>\n"
    _ = WeaveCommand.run([], in: tree)
    #expect(WeaveCommand.run(["--check"], in: tree).errors == [])
  }

  @Test func `other pages can show a picture too`() {
    let tree = tree()
    tree.files["README.md"] =
      "  <picture><img src=\"docs/pictures/load-page/first.svg\"></picture>\n"
    #expect(
      Weaver(tree).pages.first { $0.path == "README.md" }?.text == """
          <picture>
            <img src="docs/pictures/load-page/first.svg" alt="First. Times: 1ms. map: “&lt;1&gt;” at 1.">
          </picture>

        """)
  }

  @Test(arguments: [
    (
      "load-page/third.svg",
      "no picture third.svg of 'load-page': choose one of first.svg, with-share-its-twice.svg"
    ),
    (
      "share-load/first.svg",
      "no run draws the picture docs/pictures/share-load/first.svg: expected"
        + " docs/pictures/SCENARIO/PART.svg, of a scenario with a trace (make record writes snapshots)"
    ),
    (
      "first.svg",
      "no run draws the picture docs/pictures/first.svg: expected docs/pictures/SCENARIO/PART.svg,"
        + " of a scenario with a trace (make record writes snapshots)"
    ),
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
        "docs/page.md:1: this picture names no file of the package: expected <picture><img"
          + " src=\"PATH/docs/pictures/SCENARIO/PART.svg\"></picture>"
      ])
  }

  @Test func `two parts can't have the same picture`() {
    let tree = tree()
    let parts = ["A, b", "A: b"].map { Self.part($0, count: 1) }
    tree.files["\(Self.snapshots)/trace.txt"] = Timeline.Recording(parts: parts).trace()
    #expect(
      problems(tree) == [
        "\(Self.snapshots)/trace.txt:1: 'A: b' would have the picture"
          + " docs/pictures/load-page/a-b.svg, as another part does: give one another title"
      ])
  }

  @Test func `the text for readers who don't see a picture is short`() throws {
    let tree = tree(page: block)
    let lanes = (1...20).map { Timeline.Lane.operator("lane number \($0)") }
    let events = ([.request("request 1")] + lanes).enumerated().map {
      Self.event($0 + 1, .value("a"), in: $1)
    }
    let part = Timeline.Recording.Part(title: "First", events: events)
    tree.files["\(Self.snapshots)/trace.txt"] = Timeline.Recording(parts: [part]).trace()
    let page = try #require(Weaver(tree).pages.first { $0.path == Self.page })
    let match = try #require(page.text.firstMatch(of: /alt="([^"]*)"/))
    #expect((450...500).contains(match.1.count))
    #expect(match.1.hasPrefix("First. "))
    #expect(match.1.contains(". lane number 1: “a”"))
    #expect(!match.1.contains("request 1"))
    #expect(match.1.hasSuffix(". The picture's own description has the rest."))
  }

  /// Their titles say what's special about them.
  @Test(arguments: [("variant", "with its flag"), ("other", "in another order")])
  func `another run has pictures of its own`(kind: String, remark: String) {
    let tree = tree()
    tree.files["\(Self.snapshots)/\(kind)-trace.txt"] = Self.recording.trace()
    _ = WeaveCommand.run([], in: tree)
    #expect(
      tree.files["\(Self.folder)/\(kind)-first.svg"]
        == Self.svg(0, "load-page: First, \(remark)", .wide))
    #expect(
      tree.files["\(Self.folder)/\(kind)-with-share-its-twice-narrow.svg"]
        == Self.svg(1, "load-page: With share(), \"it's twice\", \(remark)", .narrow))
  }

  @Test(arguments: [
    ("With share()", "with-share"), ("RunLoop.main", "runloop-main"), ("a: b, c!", "a-b-c"),
    ("Né 2", "n-2"), ("It isn't, it’s", "it-isnt-its"),
  ])
  func `a file's name follows from the title`(title: String, name: String) {
    #expect(Pictures.slug(of: title) == name)
  }
}
