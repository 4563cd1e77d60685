/// Lines of a page that follow each other, without code blocks.
struct Paragraph {
  /// The lines, with newlines between them.
  let text: [Character]
  /// Where the code spans are, with their backticks.
  let codeSpans: [Range<Int>]
  /// The first line's index within the lines that were searched.
  private let firstLine: Int

  /// - Returns: The paragraphs between the empty lines and the code blocks.
  static func paragraphs(in lines: [String]) -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    var paragraph: [String] = []
    var fence: Fence?
    func endParagraph(before index: Int) {
      if !paragraph.isEmpty {
        paragraphs.append(Paragraph(paragraph, firstLine: index - paragraph.count))
      }
      paragraph = []
    }
    for (index, line) in lines.enumerated() {
      if let open = fence {
        if open.isClosed(by: line) { fence = nil }
      } else if let opening = Fence(opening: line) {
        endParagraph(before: index)
        fence = opening
      } else if line.allSatisfy(\.isWhitespace) {
        endParagraph(before: index)
      } else {
        paragraph.append(line)
      }
    }
    endParagraph(before: lines.count)
    return paragraphs
  }

  private init(_ lines: [String], firstLine: Int) {
    text = Array(lines.joined(separator: "\n"))
    codeSpans = Self.codeSpans(in: text)
    self.firstLine = firstLine
  }

  /// The index of the line that holds a character of the text.
  func lineIndex(at index: Int) -> Int { firstLine + text[..<index].count { $0 == "\n" } }

  /// The text with another character for each one of the code spans, apart from newlines.
  func text(replacingCodeWith replacement: Character) -> [Character] {
    var masked = text
    for index in codeSpans.joined() where text[index] != "\n" { masked[index] = replacement }
    return masked
  }

  private static func codeSpans(in text: [Character]) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    var index = 0
    while index < text.count {
      let marks = text[index...].prefix { $0 == "`" }
      guard !marks.isEmpty else {
        index += 1
        continue
      }
      guard let end = runEnd(marks.count, in: text, from: marks.endIndex) else {
        index = marks.endIndex
        continue
      }
      spans.append(index..<end)
      index = end
    }
    return spans
  }

  /// The end of the next run of exactly this many backticks.
  private static func runEnd(_ count: Int, in text: [Character], from start: Int) -> Int? {
    var index = start
    while index < text.count {
      let marks = text[index...].prefix { $0 == "`" }
      if marks.count == count { return marks.endIndex }
      index = marks.isEmpty ? index + 1 : marks.endIndex
    }
    return nil
  }
}
