/// Divides a page into prose and blocks.
///
/// Nothing inside a code block has an effect, so that a page can show how a block is written.
struct PageParser {
  /// The comments that ask for a list.
  static let lists = [
    "navigation", "purposes", "recipes", "scenarios", "sources [SCENARIO]",
  ]

  /// The comments that mark a list which its author writes, or a block that another tool does.
  private static let marks = [
    "bench-peers", "course", "message", "not:", "terms", "words", "write:",
  ]

  private let path: String
  private let lines: [String]
  private var pieces: [Page.Piece] = []
  private var problems: [Problem] = []
  /// The index of the line to read next.
  private var next = 0
  private var proseStart = 0

  /// - Returns: The page, and the problems of its blocks and comments.
  static func parse(_ lines: [String], path: String) -> (page: Page, problems: [Problem]) {
    var parser = PageParser(path: path, lines: lines)
    while parser.next < lines.count { parser.read() }
    parser.endProse(at: lines.count)
    return (Page(path: path, pieces: parser.pieces), parser.problems)
  }

  private init(path: String, lines: [String]) {
    self.path = path
    self.lines = lines
  }

  private mutating func read() {
    let start = next
    let line = lines[start]
    next += 1
    let content = line.drop { $0 == " " }
    if let fence = Fence(opening: line) {
      readCode(fence, from: start)
    } else if let comment = Self.comment(line) {
      readComment(comment, from: start)
    } else if content.hasPrefix("<picture>") {
      readPicture(from: start)
    }
  }

  private mutating func readCode(_ fence: Fence, from start: Int) {
    let end = lines[next...].firstIndex { fence.isClosed(by: $0) }
    next = end.map { $0 + 1 } ?? lines.count
    guard fence.hasSource else {
      // The change log may show code of the past.
      if fence.language == "swift", path == "README.md" || path.hasPrefix("docs/") {
        report(
          "Swift code without a source: mark a region in tested code, and name it after the"
            + " language, as in ```swift FILE#REGION", at: start)
      }
      return
    }
    guard let end, fence.prefix.isBlank else {
      return report(
        "the block '\(fence.info)' has no end, or stands in a quotation: close it with ```, or take"
          + " it out", at: start)
    }
    next = notesEnd(after: end, from: start)
    add(.excerpt(info: fence.info), from: start)
  }

  /// - Parameter comment: The text of a comment that stands on a line of its own.
  private mutating func readComment(_ comment: String, from start: Int) {
    let name = comment.prefix { !$0.isWhitespace }
    if Self.lists.contains(where: { $0 == name || $0.hasPrefix("\(name) ") }) {
      let hasSections = ["purposes", "recipes"].contains(name)
      next = listEnd(from: start + 1, hasSections: hasSections)
      add(.list(comment), from: start)
    } else if !Self.marks.contains(String(name.drop { $0 == "/" })) {
      // A mistyped comment would leave its list as it is forever.
      let lists = Self.lists.joined(separator: ", ")
      report("unknown comment '\(comment)': expected one of \(lists)", at: start)
    }
  }

  private static func comment(_ line: String) -> String? {
    guard line.contains("<!--") else { return nil }
    return line.wholeMatch(of: /\s*<!--(.*?)(?:-->)?\s*/).map { String($0.1).trimmed }
  }

  private mutating func readPicture(from start: Int) {
    guard let end = lines[start...].firstIndex(where: { $0.contains("</picture>") }) else {
      return report("this <picture> has no end: close it with </picture>", at: start)
    }
    next = end + 1
    let text = lines[start..<next].joined(separator: "\n")
    let source = text.firstMatch(of: /<img\s[^>]*?src="([^"]*)"/).map { String($0.1) }
    add(.picture(source: source), from: start)
  }

  /// The end of the numbered notes below a code block.
  ///
  /// The code on disk tells how many there are. So a list that the author wrote stays.
  private func notesEnd(after end: Int, from start: Int) -> Int {
    let count = lines[start..<end].count { $0.contains("  // (") && $0.hasSuffix(")") }
    let first = lines[(end + 1)...].firstIndex { !$0.isBlank } ?? end + 1
    var index = first
    var number = 0
    while index < lines.count, !lines[index].isBlank {
      if lines[index].prefixMatch(of: #/\s*\d+\. /#) != nil { number += 1 }
      if number == 0 || number > count { break }
      index += 1
    }
    return index == first ? end + 1 : index
  }

  /// A list ends at the next empty line or heading; one with sections at the next heading of a
  /// section.
  private func listEnd(from start: Int, hasSections: Bool) -> Int {
    let end = lines[start...].firstIndex { line in
      if hasSections { return line.hasPrefix("# ") || line.hasPrefix("## ") }
      return line.isBlank || line.hasPrefix("#") || Self.comment(line) != nil
    }
    let content = lines[start..<(end ?? lines.count)]
    return content.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
  }

  private mutating func add(_ request: Page.Request, from start: Int) {
    endProse(at: start)
    pieces.append(
      .block(
        Page.Block(
          location: Location(path: path, line: start + 1),
          indentation: String(lines[start].prefix { $0 == " " || $0 == "\t" }), request: request,
          lines: Array(lines[start..<next]))))
    proseStart = next
  }

  private mutating func endProse(at end: Int) {
    guard proseStart < end else { return }
    pieces.append(.prose(Array(lines[proseStart..<end]), firstLine: proseStart + 1))
  }

  private mutating func report(_ message: String, at index: Int) {
    problems.append(Location(path: path, line: index + 1).problem(message))
  }
}
