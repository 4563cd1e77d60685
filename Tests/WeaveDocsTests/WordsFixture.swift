@testable import weave_docs

/// A package whose texts are checked against a short style page.
enum WordsFixture {
  static let style = """
    # Style

    <!-- words -->
    | Not | Write |
    | --- | --- |
    | whoever, in place of | say it, plainly |
    | is no | "isn't a"; "there is no" and "is no longer" are fine |
    | anew | "again", "once more" |
    <!-- /words -->
    <!-- terms -->
    | Not | Write |
    | --- | --- |
    | time-out, runloop | "timeout, as one word", "run loop" |
    | Url, back pressure, call-back | "URL", and so on |
    <!-- /terms -->

    A sentence has at most 8 words.

    """

  static func tree(_ files: [String: String]) -> MemoryTree {
    let package = ["Package.swift": "", StylePage.path: style]
    return MemoryTree(package.merging(files) { $1 })
  }

  /// The findings in a tree, without the summary below them.
  static func findings(_ files: [String: String]) -> [String] {
    WeaveCommand.run(["--words"]) { _ in tree(files) }.errors.dropLast()
      .map { $0 }
  }

  /// The findings in a page.
  static func findings(page: String) -> [String] { findings(["docs/a.md": page]) }

  /// The findings in a source whose strings are read too.
  static func findings(source: String) -> [String] { findings(["Sources/a.swift": source]) }
}
