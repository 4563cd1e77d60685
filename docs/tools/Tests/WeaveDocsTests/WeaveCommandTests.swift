import Testing

@testable import weave_docs

struct WeaveCommandTests {
  private func run(_ arguments: String..., on tree: MemoryTree) -> WeaveCommand.Outcome {
    WeaveCommand.run(arguments, in: tree)
  }

  private let block = "```text \(Fixture.transcript) lines 1"

  @Test func `stale pages are written, and a second run writes nothing`() {
    let tree = Fixture.tree(block: block)
    #expect(run(on: tree).output == ["wrote docs/page.md", "5 pages, 0 pictures, 1 written"])
    #expect(
      tree.files["docs/page.md"]
        == "\(block)\n# First\n```\n")
    let files = tree.files
    #expect(run(on: tree) == WeaveCommand.Outcome(output: ["5 pages, 0 pictures, 0 written"]))
    #expect(tree.files == files)
    #expect(run("--check", on: tree) == WeaveCommand.Outcome(output: ["5 pages up to date"]))
  }

  @Test func `check writes nothing and tells the first line that differs`() {
    let tree = Fixture.tree(block: block, ["A.txt": "c\n"])
    tree.files["README.md"] = "a\n```text A.txt\nb\n```"
    #expect(
      run("--check", on: tree)
        == WeaveCommand.Outcome(
          errors: [
            "README.md:3: stale: the page has \"b\", but make docs would write \"c\"",
            "docs/page.md:2: stale: the page has \"```\", but make docs would write"
              + " \"# First\"",
            "weave-docs: 2 problems, run make docs",
          ], status: 1))
    #expect(tree.writes == [])
  }

  @Test func `nothing is written if one page is wrong`() {
    let tree = Fixture.tree(block: block, ["docs/zoo.md": "[a](b.md)\n"])
    let files = tree.files
    #expect(
      run(on: tree)
        == WeaveCommand.Outcome(
          errors: [
            "docs/zoo.md:1: the link b.md is broken: there is no file docs/b.md",
            "weave-docs: 1 problem, nothing written",
          ], status: 1))
    #expect(tree.files == files)
    #expect(tree.writes == [])
  }

  @Test func `a page that cannot be written is reported`() {
    let tree = Fixture.tree(block: block)
    tree.unwritable["docs/page.md"] = "the disk is full"
    #expect(
      run(on: tree)
        == WeaveCommand.Outcome(
          errors: [
            "docs/page.md:1: the disk is full",
            "weave-docs: 1 problem, the pages were not all written",
          ], status: 1))
  }

  @Test(arguments: [
    (["--frob"], "can't read '--frob': see weave-docs --help"),
    (["docs"], "can't read 'docs': see weave-docs --help"),
    (["--new"], "can't read '--new': see weave-docs --help"),
    (["--check", "--new", "a"], "can't read '--check --new a': see weave-docs --help"),
    (["--check"], "no Package.swift here: run it in the package's folder"),
  ])
  func `wrong usage ends with 64`(arguments: [String], message: String) {
    #expect(
      WeaveCommand.run(arguments, in: MemoryTree([:]))
        == WeaveCommand.Outcome(errors: ["weave-docs: \(message)"], status: 64))
  }

  @Test func `help tells all that there is`() {
    let outcome = run("--help", on: MemoryTree([:]))
    #expect(outcome.output.first == "Usage: weave-docs [--check | --new NAME]")
    #expect(outcome.status == 0)
  }
}
