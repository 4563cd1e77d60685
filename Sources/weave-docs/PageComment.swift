/// A comment in a page that stands on lines of its own, such as `<!-- navigation -->`.
struct PageComment {
  /// The comments that ask for a list.
  static let lists = [
    "families", "navigation", "purposes", "scenarios", "sources", "symbols",
  ]

  /// The comments that mark a list which its author writes, or a block that another tool does.
  private static let marks = [
    "course", "words", "/words", "terms", "/terms",
    "server-load", "/server-load", "server-trial", "/server-trial",
    "bench-peers", "/bench-peers",
  ]

  let indentation: String
  let content: String

  /// Reads a line; `nil` if it doesn't begin with a comment.
  init?(_ line: String) {
    let text = line.trimming(\.isWhitespace)
    guard text.hasPrefix("<!--") else { return nil }
    let isClosed = text.hasSuffix("-->") && text.count >= 7
    indentation = String(line.prefix { $0 == " " || $0 == "\t" })
    content = text.dropFirst(4).dropLast(isClosed ? 3 : 0).trimming(\.isWhitespace)
  }

  /// The first word.
  var name: String { String(content.prefix { !$0.isWhitespace }) }

  /// Whether a list follows that the tool writes.
  var isList: Bool { Self.lists.contains(name) }

  /// A mistyped comment would leave its list as it is forever.
  var complaint: String? {
    guard !isList, name != "write:", !Self.marks.contains(content) else { return nil }
    return "unknown comment '\(content)': expected one of \(Self.lists.joined(separator: ", "))"
  }
}
