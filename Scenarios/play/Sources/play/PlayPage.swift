import Foundation

/// The page, whose parts are files of the main package.
enum PlayPage {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/ScenarioKit/StagePage")

  static func html(live address: String) throws -> String {
    var page = try file("page.html")
    let values = ["title": "Play", "live": address, "runs": ""]
    for place in page.matches(of: #/{{(.*?)}}/#).map(\.output.1).map(String.init) {
      page = page.replacingOccurrences(
        of: "{{\(place)}}", with: try values[place] ?? file(place))
    }
    return page
  }

  private static func file(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }
}
