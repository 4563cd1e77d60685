/// The line of backticks or tildes that opens a code block.
struct Fence {
  private let marks: Substring

  /// All the text after the marks: the language, and for a woven block its source.
  let info: String

  /// Indentation, and the marks of a quotation.
  let prefix: String

  /// Reads a line; `nil` if it doesn't open a code block.
  ///
  /// Indentation, as in a list, and the marks of a quotation don't matter.
  init?(opening line: String) {
    let text = line.drop { " \t>".contains($0) }
    guard let mark = text.first, mark == "`" || mark == "~" else { return nil }
    marks = text.prefix { $0 == mark }
    let info = text.dropFirst(marks.count)
    guard marks.count >= 3, mark == "~" || !info.contains("`") else { return nil }
    self.info = info.trimmed
    prefix = String(line.dropLast(text.count))
  }

  /// The language, in lower case: the first word after the marks.
  var language: String { info.prefix { $0.isLetter || $0.isNumber }.lowercased() }

  /// Whether the block names its source after the language, as in `swift main.swift#load`.
  var hasSource: Bool { info.contains(where: \.isWhitespace) }

  /// Whether a line ends the code block.
  func isClosed(by line: String) -> Bool {
    let text = line.drop { " \t>".contains($0) }
    return text.hasPrefix(marks) && text.drop { $0 == marks.first }.isBlank
  }

  /// A code block around some lines, with a fence that none of them closes.
  static func block(_ lines: [String], info: String) -> [String] {
    let longest = lines.map { $0.drop { " \t>".contains($0) }.prefix { $0 == "`" }.count }.max()
    let marks = String(repeating: "`", count: max(3, (longest ?? 0) + 1))
    return [marks + info] + lines + [marks]
  }
}

/// Tells code blocks from prose, line by line.
struct FenceReader {
  private var open: Fence?

  /// Whether the next line belongs to a code block, or opens or closes one.
  mutating func isCode(_ line: String) -> Bool {
    if let fence = open {
      if fence.isClosed(by: line) { open = nil }
      return true
    }
    open = Fence(opening: line)
    return open != nil
  }
}
