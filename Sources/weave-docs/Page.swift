/// A page as it stands on disk: prose of its author's, and blocks that the tool writes.
struct Page {
  enum Piece {
    /// Lines of the author's, and the number of the first.
    case prose([String], firstLine: Int)
    case block(Block)
  }

  /// What stands between `<!-- weave: … -->` and `<!-- /weave -->`.
  struct Block {
    /// Where it opens.
    let location: Location
    /// What stands before its opening on the same line: it is repeated before each line.
    let indentation: String
    /// What the opening says after `weave:`.
    let directive: String
    /// The lines between opening and end, as they stand now.
    let body: [String]
  }

  static let closing = "<!-- /weave -->"

  let path: String
  let pieces: [Piece]
}

/// A line of a woven page, and the line of the page on disk that it comes from.
struct WovenLine: Equatable {
  let text: String
  let origin: Int
}

/// A page with its blocks written anew.
struct WovenPage {
  let path: String
  /// The text on disk.
  let oldText: String
  let lines: [WovenLine]

  var text: String { lines.map { $0.text + "\n" }.joined() }
  var isStale: Bool { !text.isSpelled(like: oldText) }

  /// Where the text on disk differs first, and how; `nil` if it does not.
  var firstDifference: Problem? {
    guard isStale else { return nil }
    let old = oldText.lines
    let new = lines.map(\.text)
    let common = zip(old, new).prefix { $0.isSpelled(like: $1) }.count
    func quote(_ lines: [String]) -> String {
      common < lines.count ? "\"\(lines[common])\"" : "the end"
    }
    return Location(path: path, line: common + 1)
      .problem("stale: here is \(quote(old)), expected is \(quote(new))")
  }
}
