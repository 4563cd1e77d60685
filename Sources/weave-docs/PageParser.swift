/// Divides a page into prose and blocks.
///
/// Nothing inside a code block has an effect, so that a page can show how a block is written.
struct PageParser {
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
    if let fence = Fence(opening: line) {
      readCode(fence, from: start)
    } else if let comment = PageComment(line) {
      if let complaint = comment.complaint { report(complaint, at: start) }
      guard comment.isList else { return }
      next = listEnd(of: comment, from: start + 1)
      add(.list(comment.content), from: start, indentation: comment.indentation)
    } else if line.trimming(\.isWhitespace).hasPrefix("<picture>") {
      readPicture(from: start)
    }
  }

  private mutating func readCode(_ fence: Fence, from start: Int) {
    let end = lines[next...].firstIndex { fence.isClosed(by: $0) }
    next = end.map { $0 + 1 } ?? lines.count
    guard fence.hasSource else {
      if fence.language == "swift" && Self.holdsOnlyTestedCode(path) {
        report(
          "Swift code without a source: mark a region in tested code, and name it after the"
            + " language, as in ```swift FILE#REGION", at: start)
      }
      return
    }
    guard let end else {
      return report("the block '\(fence.info)' has no end: close it with ```", at: start)
    }
    guard fence.prefix.allSatisfy(\.isWhitespace) else {
      return report(
        "the block '\(fence.info)' stands in a quotation: take it out, or leave out the source",
        at: start)
    }
    next = notesEnd(after: end, from: start)
    add(.excerpt(info: fence.info), from: start, indentation: fence.prefix)
  }

  private mutating func readPicture(from start: Int) {
    guard let end = lines[start...].firstIndex(where: { $0.contains("</picture>") }) else {
      return report("this <picture> has no end: close it with </picture>", at: start)
    }
    next = end + 1
    let text = lines[start..<next].joined(separator: "\n")
    let source = text.firstMatch(of: /<img\s[^>]*?src="([^"]*)"/).map { String($0.1) }
    let indentation = String(lines[start].prefix { $0 == " " || $0 == "\t" })
    add(.picture(source: source), from: start, indentation: indentation)
  }

  /// The end of the numbered notes below a code block.
  ///
  /// The code on disk tells how many there are. So a list that the author wrote stays.
  private func notesEnd(after end: Int, from start: Int) -> Int {
    let count = lines[start..<end].count { $0.contains(#/\ {2}// \(\d+\)$/#) }
    guard count > 0 else { return end + 1 }
    var index = lines[(end + 1)...].firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? end + 1
    let first = index
    var number = 0
    while index < lines.count, !lines[index].allSatisfy(\.isWhitespace) {
      if lines[index].prefixMatch(of: #/\s*\d+\. /#) != nil { number += 1 }
      if number == 0 || number > count { break }
      index += 1
    }
    return index == first ? end + 1 : index
  }

  /// A list ends at the next empty line or heading. Symbols and purposes have sections of their
  /// own, so their list ends at the next heading of a section.
  private func listEnd(of comment: PageComment, from start: Int) -> Int {
    let hasSections = comment.name == "symbols" || comment.name == "purposes"
    let end = lines[start...].firstIndex { line in
      if hasSections { return line.hasPrefix("# ") || line.hasPrefix("## ") }
      return line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") || PageComment(line) != nil
    }
    let content = lines[start..<(end ?? lines.count)]
    return content.lastIndex { !$0.allSatisfy(\.isWhitespace) }.map { $0 + 1 } ?? start
  }

  private mutating func add(_ request: Page.Request, from start: Int, indentation: String) {
    endProse(at: start)
    pieces.append(
      .block(
        Page.Block(
          location: Location(path: path, line: start + 1), indentation: indentation,
          request: request, lines: Array(lines[start..<next]))))
    proseStart = next
  }

  private mutating func endProse(at end: Int) {
    guard proseStart < end else { return }
    pieces.append(.prose(Array(lines[proseStart..<end]), firstLine: proseStart + 1))
  }

  private mutating func report(_ message: String, at index: Int) {
    problems.append(Location(path: path, line: index + 1).problem(message))
  }

  /// Whether the page may show tested code only. The change log may show code of the past.
  private static func holdsOnlyTestedCode(_ path: String) -> Bool {
    path == "README.md" || path.hasPrefix("docs/")
  }
}
