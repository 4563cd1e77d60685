import Testing

@testable import weave_docs

/// The width of comments, which the formatter leaves alone.
struct CommentWidthTests {
  /// Short sentences with as many columns in all.
  private static func words(_ columns: Int) -> String {
    String(String(repeating: "A b. ", count: columns).prefix(columns - 1)) + "."
  }

  private func findings(_ source: String) -> [String] {
    WordsFixture.findings(["Tests/a.swift": source])
  }

  @Test(arguments: ["// ", "/// ", "  /// - a: ", "let a = 1  // ", "/* "])
  func `a line with a comment has at most 100 columns`(start: String) {
    let end = start == "/* " ? " */" : ""
    let room = 100 - start.count - end.count
    #expect(findings("\n" + start + Self.words(room) + end + "\n") == [])
    #expect(
      findings("\n" + start + Self.words(room + 1) + end + "\n")
        == ["Tests/a.swift:2: this line has 101 columns: break the comment at 100"])
  }

  @Test func `each line counts for itself`() {
    let source = [90, 120, 90, 103].map { "// " + Self.words($0 - 3) }.joined(separator: "\n")
    #expect(
      findings(source) == [
        "Tests/a.swift:2: this line has 120 columns: break the comment at 100",
        "Tests/a.swift:4: this line has 103 columns: break the comment at 100",
      ])
  }

  @Test func `columns are characters`() {
    #expect(findings("// \(Self.words(89)), ääääää") == [])
    #expect(findings("// \(Self.words(89)), äääääää").count == 1)
  }

  @Test(arguments: [
    "/// | \(words(60)) | \(words(60)) |", "///   | \(words(60)) | \(words(60)) |",
    "// \(String(repeating: "a", count: 120))", "// \(String(repeating: "a", count: 120)) ",
    "let a = \"// \(words(120))\"", "\"\"\"\n// \(words(120))\n\"\"\"", "f(\(words(120)))",
  ])
  func `tables, single words, strings and code may be wider`(source: String) {
    #expect(findings(source) == [])
  }

  @Test func `only sources have this limit`() {
    #expect(WordsFixture.findings(["docs/a.md": Self.words(120)]) == [])
    #expect(WordsFixture.findings(["Makefile": "# \(Self.words(120))"]) == [])
  }
}
