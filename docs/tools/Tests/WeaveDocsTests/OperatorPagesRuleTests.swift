import Testing
import Timeline
import VirtualTime

@testable import weave_docs

/// The pages in `docs/operators`: their rules, their index, their pictures, and those that are
/// missing.
struct OperatorPagesRuleTests {
  private static let page = "docs/operators/filter.md"
  private static let index = "docs/operators/README.md"
  private static let example =
    "Tests/OperatorPagesTests/Examples/Filtering/FilterExample.swift"
  private static let snapshots = "Tests/OperatorPagesTests/Snapshots/filter"

  private static let recording = Timeline.Recording(parts: [
    Timeline.Recording.Part(
      title: "Only 2 passes",
      events: [
        Timeline.Event(
          number: 1, time: .zero, place: 1, lane: .operator("filter"), kind: .value("2"))
      ])
  ])

  private static let text = """
    # filter, tryFilter

    Drops values.

    Use it to:

    - leave out values
      that don't matter
    - stop

    ## Example

    ```swift FilterExample.swift#run
    ```

    <picture><img src="../pictures/operators/filter/only-2-passes.svg"></picture>

    ```text only-2-passes.txt
    ```

    ## If `tryFilter` throws

    It ends.

    ## Demand and completion

    One more.

    ## Threads

    The same.

    ## Relatives

    `map`.

    ## See also

    [Load a page](../scenarios/load-page.md)

    <!-- sources -->

    """

  private static let files = [
    "Sources/Streams/Operators/Filtering/Filter.swift": """
    extension Publisher {
      @inlinable
      public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Filter<Self> {}
      public func _filter() {}
      func filtered() {}
    }
    extension Publishers {
      public struct Filter<Upstream>: Publisher {
        public func filter(_ isIncluded: (Output) -> Bool) -> Self {}
      }
    }
    """,
    "Sources/Streams/Operators/Filtering/TryFilter.swift":
      "extension Publisher {\n  public func tryFilter(_ isIncluded: Int) {}\n}\n",
    "Tests/StreamsTests/Operators/Filtering/FilterTests.swift": "import Testing\n",
    "Scenarios/load-page/Page.swift": "let page = pages\n  .filter { $0.isPage }\n",
    example: """
    @Test(.example) private func `Only 2 passes`() throws {
      // region: run
      let numbers = numbers.lane("numbers")
      numbers
        .filter { $0 == 2 }
        .lane("filter")
      // endregion
    }
    """,
    "\(snapshots)/only-2-passes.txt": recording.marbles(),
    "\(snapshots)/only-2-passes-trace.txt": recording.trace(),
    index: "# Operators\n\n## By purpose\n\n<!-- purposes -->\n",
    page: text,
  ]

  private func tree(_ changes: [String: String?] = [:]) -> MemoryTree {
    let tree = Fixture.tree(Self.files)
    for (path, text) in changes { tree.files[path] = text }
    return tree
  }

  /// The problems if one text of the page is replaced.
  private func problems(replacing old: String, with new: String) -> [String] {
    #expect(Self.text.contains(old))
    return allProblems(tree([Self.page: Self.text.replacing(old, with: new)]))
  }

  /// The problems without the place, if it's the page.
  private func allProblems(_ tree: MemoryTree) -> [String] {
    Weaver(tree).problems.map { problem in
      problem.location.path == Self.page ? problem.message : problem.description
    }
  }

  // MARK: Woven blocks

  @Test func `the index lists purposes by day and by family, and the page its sources`() {
    let tree = tree()
    let outcome = WeaveCommand.run([], in: tree)
    #expect(outcome.errors == [])
    #expect(
      tree.files[Self.index] == """
        # Operators

        ## By purpose

        <!-- purposes -->

        ### Every day

        - [filter, tryFilter](filter.md): leave out values that don't matter · stop

        ### Leave values out

        - [filter, tryFilter](filter.md): leave out values that don't matter · stop

        """)
    let page = tree.files[Self.page] ?? ""
    #expect(
      page.hasSuffix(
        """
        <!-- sources -->
        Source: [Filter.swift](../../Sources/Streams/Operators/Filtering/Filter.swift), \
        [TryFilter.swift](../../Sources/Streams/Operators/Filtering/TryFilter.swift) · \
        Test: [FilterTests.swift](../../Tests/StreamsTests/Operators/Filtering/FilterTests.swift) \
        · Example: [FilterExample.swift](../../\(Self.example)) \
        · Scenarios: [load-page](../scenarios/load-page.md)

        """))
    #expect(WeaveCommand.run(["--check"], in: tree).output == ["6 pages up to date"])
  }

  @Test func `the code has no lanes, and the diagram no signs`() {
    let tree = tree()
    _ = WeaveCommand.run([], in: tree)
    let page = tree.files[Self.page] ?? ""
    #expect(page.contains("#run\nlet numbers = numbers\nnumbers\n  .filter { $0 == 2 }\n```\n"))
    #expect(page.contains("# Only 2 passes\n        0ms\nfilter  2\n```\n"))
    #expect(page.contains("filter/only-2-passes.svg\" alt=\"Only 2 passes. Times: 0ms."))
    #expect(tree.files["docs/pictures/operators/filter/only-2-passes.svg"] != nil)
  }

  @Test func `an overload in another file is linked too`() {
    let tree = tree([
      "Sources/Streams/Operators/Sharing/Filter.swift":
        "extension Publisher {\n  public func filter(_ isIncluded: Int) {}\n}\n"
    ])
    _ = WeaveCommand.run([], in: tree)
    #expect(
      tree.files[Self.page]?.contains(
        "/Filtering/Filter.swift), [Filter.swift](../../Sources/Streams/Operators/Sharing/") == true
    )
  }

  // MARK: Missing pages

  @Test func `an operator without a page fails the check, but pages are written`() {
    let tree = tree([
      "Sources/Streams/Operators/Mapping/Map.swift": """
      extension Publisher where Output: Sendable {
        public func map<T>(_ transform: (Output) -> T) {}
        public func map(_ keyPath: Int, _ other: Int) {}
        public func `catch`<P>(_ handler: P) {}
        public var values: Int { 0 }
      }
      extension ConnectablePublisher {
        public func autoconnect() {}
      }
      """,
      "Sources/Streams/Operators/Mapping/TryMap.swift":
        "extension Publisher {\n  public func tryMap<T>(_ transform: T) {}\n}\n",
      "Sources/Streams/Publishers/Sequence.swift":
        "extension Sequence {\n  public var publisher: Int { 0 }\n}\n",
      "Sources/Streams/Publishers/Deferred.swift":
        "public struct Deferred<P> {\n  public let createPublisher: () -> P\n}\n",
      "Sources/Streams/Publishers/Publishers.swift": "public enum Publishers {}\n",
      "Sources/StreamsFoundation/URLSession.swift":
        "extension URLSession {\n  public func dataTaskPublisher(for url: URL) {}\n}\n",
    ])
    #expect(WeaveCommand.run([], in: tree).status == 0)
    let outcome = WeaveCommand.run(["--check"], in: tree)
    func line(_ place: String, _ name: String, _ page: String) -> String {
      "Sources/\(place): `\(name)` has no page: write docs/operators/\(page).md, or add the name to"
        + " the heading of a page"
    }
    #expect(
      outcome.errors == [
        line("Streams/Operators/Mapping/Map.swift:2", "map(_:)", "map"),
        line("Streams/Operators/Mapping/Map.swift:4", "catch(_:)", "catch"),
        line("Streams/Operators/Mapping/Map.swift:5", "values", "values"),
        line("Streams/Operators/Mapping/Map.swift:8", "autoconnect()", "autoconnect"),
        line("Streams/Operators/Mapping/TryMap.swift:2", "tryMap(_:)", "try-map"),
        line("Streams/Publishers/Deferred.swift:1", "Deferred", "deferred"),
        line(
          "Streams/Publishers/Sequence.swift:2", "Sequence.publisher", "sequence-publisher"),
        line(
          "StreamsFoundation/URLSession.swift:2", "URLSession.dataTaskPublisher",
          "url-session-data-task-publisher"),
        "weave-docs: 8 problems, write a page for each operator",
      ])
    #expect(outcome.status == 1)
  }

  @Test func `a name with a label stands for its overloads only`() {
    let tree = tree([
      "Sources/Streams/Operators/Filtering/Filter.swift": """
      extension Publisher {
        public func filter<S>(
          on scheduler: S, options: Int? = nil
        ) {}
        public func filter(_ other: Int) {}
      }
      """,
      Self.page: Self.text.replacing("# filter,", with: "# filter(_:),"),
    ])
    #expect(allProblems(tree) == [])
    #expect(
      Operators(tree).missing.map(\.message).first?.hasPrefix("`filter(on:options:)` ") == true)
  }

  // MARK: Rules

  @Test func `the heading names operators that exist, and the file is named after the first`() {
    #expect(
      problems(replacing: "# filter, tryFilter", with: "# tryFilter, fliter") == [
        "its heading begins with 'try-filter': rename the page, or the heading",
        "there is no public operator 'fliter': name those of Sources/Streams",
      ])
  }

  @Test func `an operator has one page`() {
    let other = Self.text.replacing("# filter, tryFilter", with: "# tryFilter")
    let problems = allProblems(tree(["docs/operators/try-filter.md": other]))
    #expect(
      problems.contains(
        "docs/operators/try-filter.md:1: `tryFilter(_:)` has a page already: \(Self.page)"))
  }

  @Test func `a page says what its operator is for`() {
    #expect(
      problems(replacing: "Use it to:", with: "Uses:")
        == ["say what it's for: a line \"Use it to:\", and below it a list"])
  }

  @Test func `a page has an example in a family, and an example has a page`() throws {
    let code = try #require(Self.files[Self.example])
    for other in ["Tests/OperatorPagesTests/Examples/Other/FilterExample.swift", nil] {
      let tree = tree([Self.example: nil])
      if let other { tree.files[other] = code }
      #expect(allProblems(tree).contains { $0.hasPrefix("it needs one example, ") })
    }
    let map = "Tests/OperatorPagesTests/Examples/Mapping/MapExample.swift"
    #expect(
      allProblems(tree([map: code]))
        == ["\(map):1: this example has no page: write docs/operators/map.md"])
  }

  @Test func `each run is shown`() {
    let hidden = tree([
      Self.page: Self.text.replacing(
        "<picture><img src=\"../pictures/operators/filter/only-2-passes.svg\"></picture>\n",
        with: ""
      )
    ])
    _ = WeaveCommand.run([], in: hidden)
    #expect(
      WeaveCommand.run(["--check"], in: hidden).errors == [
        "\(Self.page):1: the picture of 'Only 2 passes' isn't shown: add"
          + " <picture><img src=\"../pictures/operators/filter/only-2-passes.svg\"></picture>",
        "weave-docs: 1 problem, show each part's picture, then run make docs",
      ])
  }

  // MARK: Names and calls

  @Test(arguments: [
    ("filter", "filter"), ("removeDuplicates", "remove-duplicates"), ("receive(on:)", "receive-on"),
    ("@Published", "published"), ("Sequence.publisher", "sequence-publisher"),
    ("URLSession.dataTaskPublisher", "url-session-data-task-publisher"),
    ("CurrentValueSubject", "current-value-subject"), ("prefix(_:)", "prefix"),
  ])
  func `a page is named after its operator`(title: String, name: String) {
    #expect(OperatorPage.slug(of: title) == name)
  }
}
