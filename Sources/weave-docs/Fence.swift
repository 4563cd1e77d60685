/// The line of backticks or tildes that opens a code block.
struct Fence {
  private let mark: Character
  private let count: Int

  /// The language, in lower case: the first word after the marks.
  let language: String

  /// All the text after the marks: the language, and for a woven block its source.
  let info: String

  /// Indentation, and the marks of a quotation.
  let prefix: String

  /// Reads a line; `nil` if it doesn't open a code block.
  ///
  /// Indentation, as in a list, and the marks of a quotation don't matter.
  init?(opening line: some StringProtocol) {
    let text = Self.content(of: line)
    guard let mark = text.first, mark == "`" || mark == "~" else { return nil }
    let count = text.prefix { $0 == mark }.count
    let info = text.dropFirst(count)
    guard count >= 3, mark == "~" || !info.contains("`") else { return nil }
    self.mark = mark
    self.count = count
    self.info = info.trimming(\.isWhitespace)
    prefix = String(line.dropLast(text.count))
    language = info.drop { $0.isWhitespace }.prefix { $0.isLetter || $0.isNumber }.lowercased()
  }

  /// Whether the block names its source after the language, as in `swift main.swift#load`.
  var hasSource: Bool { info.contains(where: \.isWhitespace) }

  /// Whether a line ends the code block.
  func isClosed(by line: some StringProtocol) -> Bool {
    let text = Self.content(of: line)
    let marks = text.prefix { $0 == mark }
    return marks.count >= count && text.dropFirst(marks.count).allSatisfy(\.isWhitespace)
  }

  private static func content<Line: StringProtocol>(of line: Line) -> Line.SubSequence {
    line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
  }

  /// A code block around some lines, with a fence that none of them closes.
  static func block(_ lines: [String], info: String) -> [String] {
    let longest = lines.map { line in
      line.drop { $0.isWhitespace || $0 == ">" }.prefix { $0 == "`" }.count
    }.max()
    let marks = String(repeating: "`", count: max(3, (longest ?? 0) + 1))
    return [marks + info] + lines + [marks]
  }
}
