import Foundation

/// The words and the limit that `docs/contributing/style.md` gives.
struct StylePage {
  static let path = "docs/contributing/style.md"

  private(set) var entries: [Lexicon.Entry] = []
  private(set) var longestSentence = 0
  private(set) var problems: [Problem] = []
  private var lines: [NumberedLine] = []
  /// The line of each phrase to avoid.
  private var listed: [String: Int] = [:]
  /// The phrases that the advice quotes.
  private var quoted: [(phrase: String, line: Int)] = []

  init(_ tree: any FileTree) {
    let start = Location(path: Self.path, line: 1)
    let lines = problems.collect { () throws(Problem) in try tree.lines(of: Self.path, for: start) }
    guard let lines else { return }
    self.lines = lines.enumerated().map {
      NumberedLine(number: $0 + 1, bytes: Array($1.utf8)[...])
    }
    readList(named: "words")
    readList(named: "terms")
    addQuoted()
    readLimit(lines)
  }

  private mutating func report(_ message: String, at line: Int) {
    problems.append(Location(path: Self.path, line: line).problem(message))
  }

  /// Reads the table between `<!-- name -->` and `<!-- /name -->`.
  private mutating func readList(named name: String) {
    let (opening, closing) = ("<!-- \(name) -->", "<!-- /\(name) -->")
    guard let first = lines.firstIndex(where: { $0.bytes.trimmed.text == opening }) else {
      return report("no list of \(name) between \(opening) and \(closing)", at: 1)
    }
    let second = lines[(first + 1)...].firstIndex { $0.bytes.trimmed.text == opening }
    if let second {
      report("a second list of \(name): line \(first + 1) has one already", at: second + 1)
    }
    guard let last = lines[first...].firstIndex(where: { $0.bytes.trimmed.text == closing }) else {
      return report("the list of \(name) is never closed with \(closing)", at: first + 1)
    }
    let content = lines[(first + 1)..<last].filter { !$0.bytes.trimmed.isEmpty }
    let rows = content.compactMap { line in
      TableRow(line.bytes).map { (number: line.number, row: $0) }
    }
    guard rows.count == content.count, rows.count >= 3, rows[1].row.isDivider else {
      return report(
        "the list of \(name) isn't a table: expected a header, a row of dashes and a row for each"
          + " entry", at: first + 1)
    }
    for (number, row) in rows.dropFirst(2) { read(row, of: name, at: number) }
  }

  /// A row has phrases, separated by commas, and advice.
  private mutating func read(_ row: TableRow, of list: String, at line: Int) {
    guard row.cells.count == 2 else {
      return report("expected 2 cells, found \(row.cells.count)", at: line)
    }
    guard row.cells.allSatisfy({ $0.count { $0 == Byte.quote }.isMultiple(of: 2) }) else {
      return report("a quotation mark is never closed", at: line)
    }
    let phrases = Self.parts(of: row.cells[0])
    let advice = Self.parts(of: row.cells[1])
    guard !phrases.contains(""), !advice.contains("") else {
      return report("an empty entry", at: line)
    }
    // In the list of terms, the sides pair up if they have as many parts.
    let isPaired = list == "terms" && phrases.count == advice.count
    for (index, phrase) in phrases.enumerated() {
      add(
        phrase, advice: isPaired ? advice[index] : row.cells[1].text,
        isCaseSensitive: list == "terms" && phrase.contains { $0.isUppercase }, at: line)
    }
    quoted += Self.quotations(in: row.cells[1].text).map { ($0, line) }
  }

  /// Adds the phrases that are fine, because the advice quotes them.
  private mutating func addQuoted() {
    for (phrase, line) in quoted {
      if let first = listed[phrase] ?? listed[phrase.lowercased()] {
        report("\"\(phrase)\" is advice, but line \(first) lists it", at: line)
      } else if let entry = Lexicon.Entry(phrase, advice: nil, isCaseSensitive: false) {
        entries.append(entry)
      }
    }
  }

  private mutating func add(
    _ phrase: String, advice: String, isCaseSensitive: Bool, at line: Int
  ) {
    let key = isCaseSensitive ? phrase : phrase.lowercased()
    if let first = listed[key] {
      return report("\"\(phrase)\" is listed already, at line \(first)", at: line)
    }
    listed[key] = line
    let isWord = advice.hasPrefix("\"") || advice.hasPrefix("`")
    let entry = Lexicon.Entry(
      phrase, advice: isWord ? "write \(advice)" : advice, isCaseSensitive: isCaseSensitive)
    guard let entry else {
      return report("\"\(phrase)\" never matches: expected words without punctuation", at: line)
    }
    entries.append(entry)
  }

  private mutating func readLimit(_ lines: [String]) {
    let limits = lines.enumerated().flatMap { index, line in
      line.matches(of: /at most (\d+) words/).map { (line: index + 1, count: Int($0.1)) }
    }
    guard let limit = limits.first else {
      return report("no limit for sentences: expected \"at most N words\" in one line", at: 1)
    }
    if limits.count > 1 {
      report("a second limit for sentences: line \(limit.line) has one already", at: limits[1].line)
    }
    guard let count = limit.count else {
      return report("the limit for sentences is too large", at: limit.line)
    }
    if count < 1 { report("the limit for sentences is below 1", at: limit.line) }
    longestSentence = count
  }

  /// The parts of a cell between its commas, which don't count within quotation marks.
  private static func parts(of cell: ArraySlice<UInt8>) -> [String] {
    var parts: [ArraySlice<UInt8>] = []
    var start = cell.startIndex
    var isQuoted = false
    for index in cell.indices {
      if cell[index] == Byte.quote { isQuoted.toggle() }
      guard cell[index] == UInt8(ascii: ","), !isQuoted else { continue }
      parts.append(cell[start..<index])
      start = index + 1
    }
    return (parts + [cell[start...]]).map(\.trimmed.text)
  }

  private static func quotations(in text: String) -> [String] {
    let pieces = text.split(separator: "\"", omittingEmptySubsequences: false)
    return pieces.indices.filter { $0 % 2 == 1 && $0 + 1 < pieces.count }.map { String(pieces[$0]) }
  }
}
