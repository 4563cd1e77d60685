/// A page on disk: prose by its author, and blocks that the tool writes.
struct Page {
  enum Piece {
    /// Lines of prose, and the number of the first.
    case prose([String], firstLine: Int)
    case block(Block)
  }

  /// A block that the tool writes: an excerpt in a code block, a picture, or a list.
  struct Block {
    /// Where it opens.
    let location: Location
    /// The white space before the opening, which is repeated before each line.
    let indentation: String
    let request: Request
    /// The lines as they are on disk, from the first to the last.
    let lines: [String]
  }

  /// The text that asks for a block.
  enum Request {
    /// The text after the backticks of a code block: its language and its source.
    case excerpt(info: String)
    /// The text of a comment, such as `sources decode-user`.
    case list(String)
    /// The file that the `<img>` of a `<picture>` names; `nil` if it names none.
    case picture(source: String?)
  }

  let path: String
  let pieces: [Piece]
}

/// A line of a woven page, and the line of the page on disk that it comes from.
struct WovenLine: Equatable {
  let text: String
  let origin: Int
}

/// A page with its blocks written again.
struct WovenPage {
  let path: String
  /// The text on disk.
  let oldText: String
  let lines: [WovenLine]

  var text: String { lines.map { $0.text + "\n" }.joined() }
  var isStale: Bool { !text.isSpelled(like: oldText) }

  /// The first difference to the text on disk; `nil` if there is none.
  var firstDifference: Problem? {
    guard isStale else { return nil }
    let old = oldText.lines
    let new = lines.map(\.text)
    let common = zip(old, new).prefix { $0.isSpelled(like: $1) }.count
    func quote(_ lines: [String]) -> String {
      common < lines.count ? "\"\(lines[common])\"" : "the end"
    }
    return Location(path: path, line: common + 1)
      .problem("stale: the page has \(quote(old)), but make docs would write \(quote(new))")
  }
}
