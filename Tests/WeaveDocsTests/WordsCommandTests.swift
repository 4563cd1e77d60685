import Testing

@testable import weave_docs

/// `weave-docs --words`: which files it reads, and how it reports.
struct WordsCommandTests {
  private func run(_ files: [String: String]) -> WeaveCommand.Outcome {
    WeaveCommand.run(["--words"]) { _ in WordsFixture.tree(files) }
  }

  @Test func `a clean package is one line`() {
    #expect(
      run(["README.md": "Fine.\n"])
        == WeaveCommand.Outcome(output: ["words: 3 files, no problem"]))
  }

  @Test func `findings are sorted by file and line, and a summary follows`() {
    #expect(
      run(["README.md": "Go\nwhoever.\n\nAnew, anew.\n", "CHANGELOG.md": "In place\nof it.\n"])
        == WeaveCommand.Outcome(
          errors: [
            "CHANGELOG.md:1: \"in place of\": say it, plainly",
            "README.md:2: \"whoever\": say it, plainly",
            "README.md:4: \"anew\": write \"again\", \"once more\"",
            "weave-docs: 3 problems with words",
          ], status: 1))
    #expect(run(["README.md": "Anew.\n"]).errors.last == "weave-docs: 1 problem with words")
  }

  @Test func `pages, sources, scripts and help are read, and nothing else`() {
    let read = [
      "CONTRIBUTING.md": "Anew.", "docs/deep/a.md": "Anew.", "Package.swift": "// Anew.",
      "Sources/A/a.swift": "// Anew.", "Scenarios/server/Tests/a.swift": "// Anew.",
      "Tests/A/a.swift": "// Anew.", "Makefile": "# Anew.", ".ci/run": "# Anew.",
      "Tests/a.sh": "# Anew.", "Tests/leaks.supp": "# Anew.",
      "Tests/ScenarioTests/Snapshots/a/help.txt": "Anew.",
    ]
    let unread = [
      "LICENSE": "Anew.", "Sources/a.md": "Anew.", "Tests/A/a.sh": "# Anew.",
      "Sources/.build/a.swift": "// Anew.", ".build/a.md": "Anew.", "docs/.hidden/a.md": "Anew.",
      "Tests/ScenarioTests/Snapshots/a/trace.txt": "Anew.", "other/a.swift": "// Anew.",
    ]
    #expect(
      run(read.merging(unread) { $1 }).errors
        == read.keys.sorted().map { "\($0):1: \"anew\": write \"again\", \"once more\"" }
        + ["weave-docs: 11 problems with words"])
  }

  @Test func `a link to a file that is read is skipped`() {
    let tree = WordsFixture.tree([
      "Tests/A/a.swift": "// Anew.", "Tests/B/a.swift": "// Anew.", "Tests/B/b.swift": "// Anew.",
    ])
    tree.links = ["Tests/B/a.swift": "../A/a.swift", "Tests/B/b.swift": "../../../b.swift"]
    #expect(
      WeaveCommand.run(["--words"]) { _ in tree }.errors == [
        "Tests/A/a.swift:1: \"anew\": write \"again\", \"once more\"",
        "Tests/B/b.swift:1: \"anew\": write \"again\", \"once more\"",
        "weave-docs: 2 problems with words",
      ])
  }

  @Test func `a file that can't be read is a problem`() {
    let tree = WordsFixture.tree(["README.md": "Anew."])
    tree.unreadable = ["README.md": "it is not UTF-8"]
    #expect(
      WeaveCommand.run(["--words"]) { _ in tree }.errors == [
        "README.md:1: it can't be read: it is not UTF-8", "weave-docs: 1 problem with words",
      ])
  }

  @Test func `nothing is written`() {
    let tree = WordsFixture.tree(["README.md": "Anew."])
    _ = WeaveCommand.run(["--words"]) { _ in tree }
    #expect(tree.writes == [])
  }
}
