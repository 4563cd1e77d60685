import Foundation
import Timeline

/// The web page of a player. It needs no other file and no network.
///
/// Its markup, its style and its scripts are files in `Sources/ScenarioKit/PlayerPage`, which SwiftPM
/// puts next to the program.
struct PlayerPage {
  let data: PlayerData

  init(_ data: PlayerData) { self.data = data }

  /// The whole file.
  ///
  /// - Throws: An error of Foundation if the page's files aren't next to the program.
  func html() throws -> String {
    let parts = [
      "title": "\(data.scenario), step by step".escapedForHTML,
      "style": try Self.file("style.css") + Self.pictures.styleSheet + "\n",
      "data": data.json,
      "script": try Self.scripts.map { try Self.file("\($0).js") }.joined(separator: "\n"),
    ]
    // The page is cut first, so a text of the run can't be taken for one of its places.
    return try Self.file("page.html").split(separator: "{{").map { piece in
      guard let end = piece.firstRange(of: "}}") else { return String(piece) }
      return (parts[String(piece[..<end.lowerBound])] ?? "") + piece[end.upperBound...]
    }.joined()
  }

  /// The start of the class names in all pictures.
  static let classPrefix = "p-"

  private static let pictures = Timeline.PictureEmbedding(idPrefix: "", classPrefix: classPrefix)

  /// The scripts, from the model of a run to the answers to keys.
  private static let scripts = ["model", "code", "panels", "picture", "controls"]

  private static func file(_ name: String) throws -> String {
    let folder = Bundle.module.bundleURL.appendingPathComponent("PlayerPage")
    return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}

extension String {
  /// The text as it stands in HTML, outside of tags.
  fileprivate var escapedForHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
