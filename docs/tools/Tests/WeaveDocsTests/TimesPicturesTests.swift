import Testing
import Timeline
import TimelinePictures

@testable import weave_docs

/// The pictures of what other times lead to.
struct TimesPicturesTests {
  private static let snapshots = "Tests/ScenarioTests/Snapshots/load-page"
  private static let folder = "docs/pictures/load-page"
  private static let page = "docs/scenarios/load-page.md"

  /// The table of a part with two outcomes.
  private static let table = [
    "1 thing moved, 9 runs: 2 outcomes", "", "action 1: tap (main.swift:7), usually at 5ms",
    "  0ms to 4ms     outcome 2", "  5ms and later  outcome 1, as usual", "",
    "1. the usual times", "   a", "", "2. if action 1 comes at 4ms", "   a", " + b",
  ]

  private static func snapshot(_ parts: [(title: String, table: [String])]) -> String {
    "load-page: One request.\n"
      + parts.map { "\n# \($0.title)\n" + $0.table.joined(separator: "\n") + "\n" }.joined()
  }

  private static let sweep = snapshot([
    ("First", table),
    ("Still", ["time-independent: 1 thing moved, 5 runs", "", "1. the usual times"]),
    ("Second", table), ("Empty", ["nothing was moved: this decides no times"]),
  ])

  private func tree(page: String) -> MemoryTree {
    Fixture.tree([
      "\(Self.snapshots)/sweep.txt": Self.sweep, "docs/what-if.md": "# What if?\n",
      Self.page: "# Load a page\n\n\(page)",
    ])
  }

  private func block(_ name: String) -> String {
    "<picture><img src=\"../pictures/load-page/\(name).svg\"></picture>\n"
  }

  private func svg(
    _ title: String, _ table: [String] = Self.table, _ style: Timeline.PictureStyle = .wide
  ) throws -> String {
    try TimeStrips(table: table).svg(title: "load-page: \(title), at any time", style: style)
  }

  @Test func `those that a page shows are drawn, wide and narrow`() throws {
    let tree = tree(page: block("second-times"))
    let written = WeaveCommand.run([], in: tree)
    #expect(
      written.output == [
        "wrote \(Self.folder)/second-times-narrow.svg", "wrote \(Self.folder)/second-times.svg",
        "wrote \(Self.page)", "5 pages, 2 pictures, 3 written",
      ])
    #expect(try tree.files["\(Self.folder)/second-times.svg"] == svg("Second"))
    #expect(
      try tree.files["\(Self.folder)/second-times-narrow.svg"] == svg("Second", Self.table, .narrow)
    )
    #expect(
      tree.files[Self.page] == """
        # Load a page

        <picture>
          <source media="(max-width: 520px)" srcset="../pictures/load-page/second-times-narrow.svg">
          <img src="../pictures/load-page/second-times.svg" alt="Second, at any time. action 1: tap, usually at 5ms: outcome 2 from 0ms to 4ms, outcome 1 from 5ms. Outcome 1: as usual. Outcome 2: also “b”.">
        </picture>

        """)
    #expect(WeaveCommand.run(["--check"], in: tree).output == ["5 pages up to date"])
    // Once no page shows it, it goes.
    tree.files[Self.page] = "# Load a page\n"
    #expect(
      WeaveCommand.run([], in: tree).output.contains("removed \(Self.folder)/second-times.svg"))
  }

  @Test(arguments: ["still-times", "empty-times", "third-times"])
  func `a part with one outcome has none`(name: String) {
    #expect(
      problems(tree(page: block(name))).contains(
        "\(Self.page):3: no picture \(name).svg of 'load-page': choose one of first-times.svg,"
          + " second-times.svg"))
  }

  @Test func `a variant, and responses only, have pictures of their own`() throws {
    let names = ["variant-first-times", "variant-first-responses"]
    let tree = tree(page: names.map(block).joined(separator: "\n"))
    for name in ["variant-sweep", "variant-responses"] {
      tree.files["\(Self.snapshots)/\(name).txt"] = Self.snapshot([("First", Self.table)])
    }
    _ = WeaveCommand.run([], in: tree)
    for name in names {
      #expect(try tree.files["\(Self.folder)/\(name).svg"] == svg("First, with its flag"))
    }
  }

  @Test(
    arguments: [
      ([table, ["time-independent: 1 thing moved, 5 runs"]], "the same outcome in 1 of 2 parts"),
      ([["time-independent: 1 thing moved, 5 runs"]], "the same outcome in each part"),
      ([table, table], "more than one outcome in each part"),
      (
        [table, ["nothing was moved: this decides no times"]], "more than one outcome in each part"
      ),
      ([["nothing was moved: this decides no times"]], nil),
    ] as [([[String]], String?)])
  func `a page says in how many parts times don't matter`(tables: [[String]], words: String?) {
    let tree = tree(page: "")
    tree.files[Self.page] = "<!-- sources -->\n"
    tree.files["\(Self.snapshots)/sweep.txt"] = Self.snapshot(
      tables.enumerated().map { ("Part \($0)", $1) })
    let line = woven(tree, page: Self.page).joined()
    if let words {
      #expect(line.hasSuffix(" · [At any time](../what-if.md): \(words)"))
    } else {
      #expect(!line.contains("At any time"))
    }
  }
}
