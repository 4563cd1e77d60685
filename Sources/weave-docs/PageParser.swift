/// Divides a page into prose and blocks.
///
/// Directives inside code blocks have no effect, so that a page can show one.
struct PageParser {
  let path: String
  private(set) var pieces: [Page.Piece] = []
  private(set) var problems: [Problem] = []
  private var prose: [String] = []
  private var proseStart = 1
  private var fence: Fence?
  private var block: OpenBlock?

  private struct OpenBlock {
    let line: Int
    let indentation: String
    let directive: String
    var body: [String] = []
  }

  private init(path: String) { self.path = path }

  /// - Returns: The page, and the problems of its markers and code blocks.
  static func parse(_ lines: [String], path: String) -> (page: Page, problems: [Problem]) {
    var parser = PageParser(path: path)
    for (index, line) in lines.enumerated() { parser.read(line, number: index + 1) }
    parser.finish()
    return (Page(path: path, pieces: parser.pieces), parser.problems)
  }

  private mutating func read(_ line: String, number: Int) {
    if let open = fence {
      if open.isClosed(by: line) { fence = nil }
      keep(line, number: number)
      return
    }
    if let opening = Fence(opening: line) {
      fence = opening
      if block == nil && opening.language == "swift" && Self.holdsOnlyTestedCode(path) {
        report(
          "Swift code outside a woven block: mark a region in tested code, and weave it with"
            + " <!-- weave: code FILE#REGION -->", at: number)
      }
      keep(line, number: number)
      return
    }
    switch Marker(line) {
    case nil: keep(line, number: number)
    case .opening(let indentation, let directive):
      if let block { reportUnclosed(block) }
      flush(nextLine: number + 1)
      block = OpenBlock(line: number, indentation: indentation, directive: directive)
    case .closing:
      guard let block else {
        report("\(Page.closing) has no block to close", at: number)
        return
      }
      close(block, nextLine: number + 1)
    case .malformed:
      report(
        "this isn't a marker: expected <!-- weave: DIRECTIVE --> or \(Page.closing)", at: number)
    }
  }

  private mutating func keep(_ line: String, number: Int) {
    if block != nil { block?.body.append(line) } else { prose.append(line) }
  }

  private mutating func flush(nextLine: Int) {
    if !prose.isEmpty { pieces.append(.prose(prose, firstLine: proseStart)) }
    prose = []
    proseStart = nextLine
  }

  private mutating func close(_ open: OpenBlock, nextLine: Int) {
    pieces.append(
      .block(
        Page.Block(
          location: Location(path: path, line: open.line), indentation: open.indentation,
          directive: open.directive, body: open.body)))
    block = nil
    proseStart = nextLine
  }

  private mutating func finish() {
    if let block { reportUnclosed(block) }
    flush(nextLine: 0)
  }

  private mutating func reportUnclosed(_ block: OpenBlock) {
    report(
      "the block '\(block.directive)' has no end: close it with \(Page.closing)", at: block.line)
  }

  private mutating func report(_ message: String, at line: Int) {
    problems.append(Location(path: path, line: line).problem(message))
  }

  /// Whether the page may show tested code only. The change log may show code of the past.
  private static func holdsOnlyTestedCode(_ path: String) -> Bool {
    path == "README.md" || path.hasPrefix("docs/")
  }
}

/// A line with an instruction for the tool.
private enum Marker {
  case opening(indentation: String, directive: String)
  case closing
  case malformed

  init?(_ line: String) {
    let indentation = String(line.prefix { $0 == " " || $0 == "\t" })
    let text = line.trimming(\.isWhitespace)
    guard text.hasPrefix("<!--") else { return nil }
    let isComment = text.hasSuffix("-->") && text.count >= 7
    let content = (isComment ? text.dropFirst(4).dropLast(3) : text.dropFirst(4))
      .drop { $0.isWhitespace }
    guard content.hasPrefix("weave") || content.hasPrefix("/weave") else { return nil }
    if isComment && content.hasPrefix("weave:") {
      self = .opening(
        indentation: indentation,
        directive: content.dropFirst(6).trimming(\.isWhitespace))
    } else if text == Page.closing {
      self = .closing
    } else {
      self = .malformed
    }
  }
}
