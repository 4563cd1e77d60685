import Foundation
import Testing

@testable import weave_docs

struct NewScenarioTests {
  private let template = [
    "Tests/Fixtures/new-scenario/main.swift": "let scenario = Scenario(\"new-scenario\", \"A.\")\n",
    "Tests/Fixtures/new-scenario/Server.swift": "// write: Your responses.\n",
    "Tests/Fixtures/new-scenario/page.md": "# new-scenario: a\n\n$ swift run new-scenario\n",
  ]

  private func tree(_ changes: [String: String] = [:]) -> MemoryTree {
    Fixture.tree(template.merging(changes) { $1 })
  }

  private func new(_ name: String, in tree: MemoryTree) -> WeaveCommand.Outcome {
    WeaveCommand.run(["--new", name], in: tree)
  }

  @Test func `a new scenario has a folder, a page and a line in both lists`() {
    let tree = tree()
    let before = tree.files
    let paths = [
      "Package.swift", "Scenarios/hello-stream/Server.swift", "Scenarios/hello-stream/main.swift",
      "docs/README.md", "docs/scenarios/hello-stream.md",
    ]
    #expect(
      new("hello-stream", in: tree) == WeaveCommand.Outcome(output: paths.map { "wrote \($0)" }))
    let changes = tree.files.filter { before[$0.key] != $0.value }
    #expect(
      changes == [
        "Package.swift": """
        // swift-tools-version: 6.1
        let scenarios = [
          "load-page",  // the "first"
          "share-load",
          "hello-stream",
        ]

        """,
        "Scenarios/hello-stream/main.swift": "let scenario = Scenario(\"hello-stream\", \"A.\")\n",
        "Scenarios/hello-stream/Server.swift": "// write: Your responses.\n",
        "docs/README.md": """
        # The course

        <!-- course -->
        1. [Load a page](scenarios/load-page.md)
        2. [Share a load](scenarios/share-load.md)
        3. [hello-stream](scenarios/hello-stream.md): load a quote \
        <!-- write: Its idea in a few words. Move the line to its place in the course. -->

        """,
        "docs/scenarios/hello-stream.md": "# hello-stream: a\n\n$ swift run hello-stream\n",
      ])
    #expect(tree.writes == [paths])
  }

  @Test(arguments: [
    "", "Hello", "hello_stream", "hello stream", "2nd", "-a", "a-", "a--b", "a/b", "..", "é",
    "--check",
  ])
  func `a bad name is refused`(name: String) {
    let tree = tree()
    #expect(
      new(name, in: tree)
        == WeaveCommand.Outcome(
          errors: [
            "weave-docs: a scenario can't be named '\(name)': use lowercase letters, digits and"
              + " single hyphens, and begin with a letter, as in hello-stream"
          ], status: 64))
    #expect(tree.writes == [])
  }

  @Test(arguments: ["a", "a-2", "http2-push", "hello-stream"])
  func `a good name is accepted`(name: String) {
    #expect(new(name, in: tree()).status == 0)
  }

  @Test func `the name of a target is refused`() {
    let manifest = (Fixture.tree.files["Package.swift"] ?? "") + "\n.target(name: \"b\")\n"
    expectRefusal(
      of: "b", in: tree(["Package.swift": manifest]),
      "'b' is in Package.swift already: choose another name, or remove it there")
  }

  @Test func `the name main is refused`() {
    expectRefusal(of: "main", in: tree(), "a scenario can't be named 'main'")
  }

  @Test(arguments: [
    ("Package.swift", "let scenarios = [\n  \"b\",\n]\n", "Package.swift"),
    (
      "docs/README.md", "<!-- course -->\n[B](scenarios/b.md)\n", "docs/README.md"
    ),
    ("Scenarios/b/View.swift", "", "Scenarios/b"),
    ("docs/scenarios/b.md", "# B\n", "docs/scenarios/b.md"),
    ("Tests/ScenarioTests/Snapshots/b/help.txt", "", "Tests/ScenarioTests/Snapshots/b"),
    ("Tests/ScenarioTests/BTests.swift", "", "Tests/ScenarioTests/BTests.swift"),
  ])
  func `a scenario that exists or is half done is refused`(
    path: String, text: String, trace: String
  ) {
    expectRefusal(
      of: "b", in: tree([path: text]),
      "'b' is in \(trace) already: choose another name, or remove it there")
  }

  @Test func `all traces of a scenario are named`() {
    let tree = tree()
    tree.files["docs/scenarios/load-page.md"] = nil
    expectRefusal(
      of: "load-page", in: tree,
      "'load-page' is in Package.swift, docs/README.md, Scenarios/load-page,"
        + " Tests/ScenarioTests/Snapshots/load-page, Tests/ScenarioTests/LoadPageTests.swift"
        + " already: choose another name, or remove it there")
  }

  @Test(arguments: [
    (
      "Package.swift", "let scenarios = [\"a\"]\n",
      "Package.swift:1: no list of scenarios: expected lines 'let scenarios = [' and ']', with a"
        + " name on each line between them"
    ),
    (
      "docs/README.md", "# The course\n",
      "docs/README.md:1: the list of the course is missing: write it below <!-- course -->"
    ),
  ])
  func `a list that it can't add to is reported`(path: String, text: String, problem: String) {
    let tree = tree([path: text])
    #expect(
      new("b", in: tree)
        == WeaveCommand.Outcome(
          errors: [problem, "weave-docs: 1 problem, nothing started"], status: 1))
    #expect(tree.writes == [])
  }

  @Test func `a missing template is reported`() {
    let tree = tree()
    tree.files["Tests/Fixtures/new-scenario/page.md"] = nil
    #expect(
      new("b", in: tree)
        == WeaveCommand.Outcome(
          errors: [
            "Tests/Fixtures/new-scenario/page.md:1: no such file: Tests/Fixtures/new-scenario/page.md",
            "weave-docs: 1 problem, nothing started",
          ], status: 1))
  }

  @Test func `nothing is written if one file can't be`() {
    let tree = tree()
    tree.unwritable["docs/README.md"] = "the disk is full"
    let before = tree.files
    #expect(
      new("b", in: tree)
        == WeaveCommand.Outcome(
          errors: [
            "docs/README.md:1: the disk is full", "weave-docs: 1 problem, nothing started",
          ], status: 1))
    #expect(tree.files == before)
  }

  /// In this repository, what `make new` writes breaks no rule: with its snapshots, only the
  /// prompts are left. Other pages may be broken meanwhile.
  @Test func `a new page can be woven, and lists what is still to write`() {
    let root = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../..").standardized
    let disk = DiskTree(root: root)
    let tree = MemoryTree([:])
    // Without the pages of the operators, which have nothing to do with it and take long.
    for path in disk.files(below: "", suffix: "")
    where !path.hasPrefix("docs/operators/") && !path.hasPrefix("docs/pictures/operators/")
      && !path.hasPrefix("Tests/OperatorPagesTests/")
    {
      tree.files[path] = disk.text(of: path)
    }
    let name = "a-name-that-is-free"
    #expect(new(name, in: tree).errors == [])
    let snapshots = "Tests/ScenarioTests/Snapshots"
    let transcript = "Tests/ScenarioKitTests/Snapshots/new-scenario/transcript.txt"
    for kind in ["transcript", "marble", "help"] {
      tree.files["\(snapshots)/\(name)/\(kind).txt"] = tree.files[transcript]
    }
    // A run whose parts have the same titles.
    tree.files["\(snapshots)/\(name)/trace.txt"] = tree.files["\(snapshots)/decode-user/trace.txt"]?
      .replacing("The user arrives", with: "The quote arrives")

    let weaver = Weaver(tree)
    #expect(weaver.problems.map(\.description).filter { $0.contains(name) } == [])
    let prompts = Prompts.problems(in: weaver.pages, tree: tree)
    let files = Dictionary(grouping: prompts, by: \.location.path).mapValues(\.count)
    #expect(files["Scenarios/\(name)/main.swift"] == 4)
    #expect(files["Scenarios/\(name)/Server.swift"] == 1)
    #expect(files["docs/scenarios/\(name).md"] == 12)
    #expect(files[Course.page, default: 0] >= 1)
    // Each is a sentence on one line.
    let broken = prompts.filter { $0.message.wholeMatch(of: /still to write: [A-Z].*[.?]/) == nil }
    #expect(broken.map(\.description) == [])
  }

  private func expectRefusal(
    of name: String, in tree: MemoryTree, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      new(name, in: tree)
        == WeaveCommand.Outcome(errors: ["weave-docs: \(message)"], status: 1),
      sourceLocation: sourceLocation)
    #expect(tree.writes == [], sourceLocation: sourceLocation)
  }
}
