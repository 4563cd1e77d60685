import Foundation
import Timeline
import TimelinePictures

/// The web page of a player. It needs no other file and no network.
///
/// Its markup, its style and its scripts are files in `Sources/ScenarioKit/PlayerPage`. They're
/// read when the page is written, as the scenario's own sources are.
struct PlayerPage {
  /// The reason why the page can't be made.
  struct MissingFile: Error, Equatable, CustomStringConvertible {
    let path: String

    var description: String {
      "can't read \(path), a part of the player's page: run the scenario with swift run, in the folder "
        + "where it was built"
    }
  }

  let data: PlayerData
  private let folder: URL

  /// - Parameter folder: The folder with the page's files.
  init(_ data: PlayerData, folder: URL = Self.folder) {
    self.data = data
    self.folder = folder
  }

  /// The whole file.
  ///
  /// - Throws: ``MissingFile`` if the package was moved or removed since it was built.
  func html() throws(MissingFile) -> String {
    let parts = [
      "title": "\(data.scenario), step by step".escapedForHTML,
      "style": try file("style.css") + Self.pictures.styleSheet + "\n",
      "data": data.json,
      "script": try script(),
    ]
    // The page is cut first, so a text of the run can't be taken for one of its places.
    return try file("page.html").split(separator: "{{").map { piece in
      guard let end = piece.firstRange(of: "}}") else { return String(piece) }
      return (parts[String(piece[..<end.lowerBound])] ?? "") + piece[end.upperBound...]
    }.joined()
  }

  /// The start of the class names in all pictures.
  static let classPrefix = "p-"
  private static let pictures = Timeline.PictureEmbedding(idPrefix: "", classPrefix: classPrefix)

  /// The scripts, from the model of a run to the answers to keys.
  private static let scripts = ["model", "code", "panels", "picture", "predict", "controls"]
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("PlayerPage")

  private func script() throws(MissingFile) -> String {
    var scripts: [String] = []
    for name in Self.scripts { scripts.append(try file("\(name).js")) }
    return scripts.joined(separator: "\n")
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
