import Foundation

/// A link, image or reference in a page's prose.
struct Link: Equatable {
  /// The text that a reader sees; empty for references and HTML.
  let title: String
  let target: String
  /// Counted from zero within the lines that were searched.
  let lineIndex: Int

  /// Whether it points to a file of the package.
  var isRelative: Bool {
    let scheme = target.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    let hasScheme = !scheme.isEmpty && target.dropFirst(scheme.count).first == ":"
    return !hasScheme && !target.hasPrefix("//")
  }

  /// The target's path without its anchor, and the anchor.
  var parts: (path: String, anchor: String?) {
    let sides = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(sides[0])
    return (path.removingPercentEncoding ?? path, sides.count == 2 ? String(sides[1]) : nil)
  }
}
