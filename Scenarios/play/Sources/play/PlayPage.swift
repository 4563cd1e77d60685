import Foundation

/// The page, whose parts are files of the main package.
enum PlayPage {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/ScenarioKit/StagePage")

  private static let scripts = [
    "model", "source", "rows", "axis", "picture", "track", "endings", "panels", "code", "tabs", "now",
    "causes", "predict", "steps", "address", "surroundings", "test", "controls",
  ]

  static func html(live address: String) throws -> String {
    func file(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    var page = try file("page.html")
    for (key, value) in [
      ("title", "Play"), ("live", address), ("style", try file("style.css")),
      ("script", try scripts.map { try file("\($0).js") }.joined(separator: "\n")),
    ] {
      page = page.replacingOccurrences(of: "{{\(key)}}", with: value)
    }
    return page
  }
}
