import Testing

@testable import weave_docs

struct CodeBlockTests {
  private func code(_ source: String, region: String? = "r") -> [String] {
    let part = region.map { "#\($0)" } ?? ""
    return woven(
      Fixture.tree(block: "```swift Sources/A.swift\(part)", ["Sources/A.swift": source]))
  }

  private let path = "Sources/A.swift"

  @Test func `a region is dedented and its markers are gone`() {
    #expect(
      woven(Fixture.tree(block: "```swift load-page/main.swift#pipeline")) == [
        "```swift", "let pages = world.session", "  .dataTaskPublisher(for: url)", "```",
      ])
  }

  @Test func `nested regions lose their markers and the blank lines around them`() {
    let source = """
      // region: r
      a

      // region: inner

      b
      // endregion

      c
      // endregion
      """
    #expect(code(source) == ["```swift", "a", "", "b", "", "c", "```"])
    #expect(code(source, region: "inner") == ["```swift", "b", "```"])
  }

  @Test func `regions overlap if their ends are named`() {
    let source = """
      // region: r
      a
      // region: s
      b
      // endregion: r
      c
      // endregion: s
      """
    #expect(code(source) == ["```swift", "a", "b", "```"])
    #expect(code(source, region: "s") == ["```swift", "b", "c", "```"])
  }

  @Test func `without a region the whole file is shown`() {
    #expect(
      code("a\n// region: r\n  b\n// endregion\n", region: nil)
        == ["```swift", "a", "  b", "```"])
  }

  @Test func `notes become a numbered list`() {
    let source = """
      // region: r
      // note: Nothing is requested
      //   before the first demand.
      // An ordinary comment stays.
      let a = 1

      // note: Keeps it alive.
      let b = 2
      // endregion
      """
    #expect(
      code(source) == [
        "```swift", "// An ordinary comment stays.", "let a = 1  // (1)", "",
        "let b = 2  // (2)", "```",
        "", "1. Nothing is requested before the first demand.", "2. Keeps it alive.",
      ])
  }

  @Test func `the fence is longer than any in the code`() {
    #expect(code("// ```\n", region: nil) == ["```swift", "// ```", "```"])
    #expect(code("````\n", region: nil) == ["`````swift", "````", "`````"])
  }

  @Test(arguments: [
    ("Makefile", "make"), ("run.sh", "sh"), ("a.json", "json"), ("a.yml", "text"),
  ])
  func `the language follows from the name`(name: String, language: String) {
    let tree = Fixture.tree(
      block: "```\(language) \(name)#r", [name: "# region: r\nall:\n# endregion\n"])
    #expect(woven(tree) == ["```\(language)", "all:", "```"])
  }

  @Test func `lines that only add lanes are left out`() {
    let source = """
      // region: r
      load
        // note: Why.
        .lane("loaded")
        .map { $0 }
        .lane(world.has(flag) ? "a(" : "b)") { "\\($0.count)" }  // A comment.
      text.lane("kept")
      // .lane("kept")
      // endregion
      """
    #expect(
      code(source) == [
        "```swift", "load", "  .map { $0 }  // (1)", "text.lane(\"kept\")", "// .lane(\"kept\")",
        "```",
        "",
        "1. Why.",
      ])
  }

  @Test(arguments: [
    "  .lane(\n", "  .lane(\"a\",\n", "  .lane(\"a\").map { 1 }\n", ".lane(\"a\") {\n",
  ])
  func `a call of lane that goes on stays`(source: String) {
    let source = source.trimming(\.isNewline)
    #expect(code("// region: r\n\(source)\n// endregion\n")[1] == source.trimmed)
  }

  @Test func `an indented block stays in its list`() {
    let page = "1. Do:\n   ```swift A.swift\n   ```\n"
    let tree = Fixture.tree(["docs/page.md": page, "A.swift": "a\n\nb\n"])
    #expect(
      Weaver(tree).pages.first { $0.path == "docs/page.md" }?.text == """
        1. Do:
           ```swift A.swift
           a

           b
           ```

        """)
  }

  @Test(arguments: [
    ("B.swift#r", "docs/page.md:1: no such file: B.swift"),
    ("Sources/B.swift", "docs/page.md:1: no such file: Sources/B.swift"),
    ("Scenarios", "docs/page.md:1: Scenarios is a folder, not a file"),
    ("../B.swift", "docs/page.md:1: ../B.swift isn't a plain path from the package root"),
    (
      "Package.swift#r",
      "docs/page.md:1: no region 'r' in Package.swift: it has none"
    ),
    (
      "load-page/main.swift#r",
      "docs/page.md:1: no region 'r' in Scenarios/load-page/main.swift: it has pipeline"
    ),
  ])
  func `what is missing is named`(source: String, problem: String) {
    #expect(problems(Fixture.tree(block: "```swift \(source)")) == [problem])
  }

  @Test(arguments: [
    ("// endregion\n", "Sources/A.swift:1: this endregion has no region to close"),
    ("\n// endregion: r\n", "Sources/A.swift:2: this endregion has no region to close"),
    ("// region: r\na\n", "Sources/A.swift:1: region 'r' has no end: close it with endregion"),
    (
      "// region: r\na\n// endregion\n// region: r\n// endregion\n",
      "Sources/A.swift:4: region 'r' is marked twice"
    ),
    ("// region: r\n\n// endregion\n", "docs/page.md:1: region 'r' of Sources/A.swift is empty"),
    (
      "// region: r\n// note: n\n// endregion\n",
      "docs/page.md:1: a note in Sources/A.swift has no code after it: put it above the line it"
        + " explains"
    ),
    (
      "a\r\n",
      "docs/page.md:1: Sources/A.swift isn't UTF-8 text whose lines end in a newline only"
    ),
  ])
  func `a source that is marked wrongly is reported`(source: String, problem: String) {
    let tree = Fixture.tree(block: "```swift A.swift#r", [path: source])
    #expect(problems(tree) == [problem])
  }
}
