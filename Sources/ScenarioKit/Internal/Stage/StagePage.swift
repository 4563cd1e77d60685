import Foundation

/// The page of a stage with all its runs in it. It needs no other file and no network.
///
/// Its markup, its style and its scripts are files in `Sources/ScenarioKit/StagePage`. They're
/// read when the page is written, as the scenario's own sources are.
struct StagePage {
  /// The reason why the page can't be made.
  struct MissingFile: Error, Equatable, CustomStringConvertible {
    let path: String

    var description: String {
      "can't read \(path), a part of the page: run the scenario with swift run, in the folder where it "
        + "was built"
    }
  }

  let title: String
  let table: StageTable
  private let folder: URL

  /// - Parameter folder: The folder with the page's files.
  init(title: String, _ table: StageTable, folder: URL = Self.folder) {
    (self.title, self.table, self.folder) = (title, table, folder)
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("StagePage")

  /// The whole file.
  ///
  /// - Throws: ``MissingFile`` if the package was moved or removed since it was built.
  func html() throws(MissingFile) -> String {
    var page = ""
    // The page is cut first, so a text of the run can't be taken for one of its places.
    for piece in try file("page.html").split(separator: "{{", omittingEmptySubsequences: false) {
      guard let end = piece.firstRange(of: "}}") else {
        page += piece
        continue
      }
      switch piece[..<end.lowerBound] {
      case "title": page += "\(title), step by step".escapedForHTML
      case "live": break
      case "runs": page += table.json
      case let name: page += try code(String(name))
      }
      page += piece[end.upperBound...]
    }
    return page
  }

  /// A script or a style without what only people need: indentation, and lines of comments.
  private func code(_ name: String) throws(MissingFile) -> String {
    // In a style, a line can begin with the selector `*`.
    let comments = name.hasSuffix(".js") ? ["//", "/*", "*"] : ["/*"]
    return try file(name).split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { line in !comments.contains { line.hasPrefix($0) } }
      .joined(separator: "\n") + "\n"
  }

  private func file(_ name: String) throws(MissingFile) -> String {
    let file = folder.appendingPathComponent(name)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw MissingFile(path: file.path)
    }
    return text
  }
}

extension String {
  /// The text as it stands in HTML, outside of tags.
  fileprivate var escapedForHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
