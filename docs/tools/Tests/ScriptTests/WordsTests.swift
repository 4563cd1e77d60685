import Foundation
import Testing

/// Runs words.sh on a file in a folder of its own, with the word list of the repository.
struct WordsTests {
  private static let root = repository

  /// The lines that the check prints, and its exit code.
  private func check(_ text: String, as name: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("words-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return try run([file.path]).map { $0.replacing(folder.path + "/", with: "") }
  }

  private func run(_ arguments: [String], in folder: URL = root) throws -> [String] {
    try runScript(Self.root.path + "/docs/tools/words.sh", arguments, in: folder)
  }

  private static let nobody = "\"nobody\": name them: \"no subscriber\", \"no thread\""
  private static let clean = ["words: 1 files, no problem", "exit 0"]

  @Test func `a page is read without its code and quotations`() throws {
    let page = """
      Nobody knows. There is no end, and it is no longer "nobody" or `nobody`, in `code
      nobody sees`. This goes in place
      of that, and [nobody](nobody.md) is Url or URL.

      > nobody

      | Not | Write |
      | --- | --- |
      | nobody | a |

      | Name | Nobody |
      | --- | --- |

      ````text
      ```
      nobody
      ````
      """
    let lines = try check(page, as: "page.md")
    #expect(
      lines == [
        "page.md:1: \(Self.nobody)", "page.md:3: \"in place of\": \"instead of\"",
        "page.md:3: \(Self.nobody)", "page.md:3: \"Url\": \"URL\"", "page.md:11: \(Self.nobody)",
        "words: 5 problems", "exit 1",
      ])
  }

  @Test func `a source's comments and messages are read`() throws {
    let wide = "// " + String(repeating: "é ", count: 48)
    let source = """
      /// Takes nobody in. `nobody`
      ///
      /// ```swift
      /// nobody
      /// ```
      /// - Parameter nobody: The name.
      func nobody(nobody: Int) {  // nobody
        print("nobody", "nobody is here \\(nobody(nobody))", "a \\"nobody\\" b")
        print(\"""
          Nobody is here.
          \""")
      }
      \(wide)
      \(wide)x y
      """
    let lines = try check(source, as: "source.swift")
    #expect(
      lines == [
        "source.swift:1: \(Self.nobody)", "source.swift:7: \(Self.nobody)",
        "source.swift:8: \(Self.nobody)", "source.swift:10: \(Self.nobody)",
        "source.swift:14: this line has 102 columns: break the comment at 100",
        "words: 5 problems", "exit 1",
      ])
  }

  @Test func `a script's comments are read`() throws {
    #expect(
      try check("# Nobody\nnobody=1  # is nobody\n", as: "script.sh") == [
        "script.sh:1: \(Self.nobody)", "script.sh:2: \(Self.nobody)", "words: 2 problems", "exit 1",
      ])
    #expect(try check("nobody=1\n", as: "script.sh") == Self.clean)
  }

  @Test func `wrong usage ends with 64`() throws {
    #expect(try run(["no.md"]) == ["words: there is no file no.md", "exit 64"])
    #expect(
      try run([], in: FileManager.default.temporaryDirectory) == [
        "words: there is no docs/contributing/style.md here: run this in the package's folder",
        "exit 64",
      ])
  }
}
