/// Divides Markdown into passages: paragraphs, list items, headings and table cells.
///
/// It leaves out code blocks and block quotes, and tables whose first header is "Not" or "Instead
/// of". That text is a quotation or a bad example.
struct MarkdownReader {
  /// Where the Markdown stands.
  enum Place {
    case page
    /// A comment in a source, which has labels and markers of its own.
    case comment
  }

  private enum Table {
    case read
    case exempt
  }

  private let place: Place
  private var passages: [Passage] = []
  private var paragraph: Passage?
  private var fence: Fence?
  private var table: Table?
  private var isInList = false
  private var isInHTMLComment = false

  static func passages(in lines: [NumberedLine], of place: Place) -> [Passage] {
    var reader = MarkdownReader(place: place)
    for line in lines { reader.read(line) }
    reader.endParagraph()
    return reader.passages
  }

  private init(place: Place) { self.place = place }

  private mutating func read(_ line: NumberedLine) {
    let content = line.bytes.trimmed
    if content.isEmpty {
      endParagraph()
      table = nil
    } else if isInHTMLComment {
      isInHTMLComment = content.firstIndex(of: "-->", from: content.startIndex) == nil
    } else if !readFence(line) && !readTable(content, number: line.number) {
      table = nil
      let indentation = content.startIndex - line.bytes.startIndex
      if indentation == 0 && paragraph == nil { isInList = false }
      let isCode = paragraph == nil && !isInList && indentation >= 4
      if !isCode { readBlock(NumberedLine(number: line.number, bytes: content)) }
    }
  }

  /// - Returns: Whether the line belongs to a code block.
  private mutating func readFence(_ line: NumberedLine) -> Bool {
    if let open = fence {
      if open.isClosed(by: line.bytes.text) { fence = nil }
      return true
    }
    // Reading the line as a `String` takes time.
    guard
      line.bytes.firstIndex(of: "```", from: line.bytes.startIndex) != nil
        || line.bytes.firstIndex(of: "~~~", from: line.bytes.startIndex) != nil
    else { return false }
    fence = Fence(opening: line.bytes.text)
    if fence != nil { endParagraph() }
    return fence != nil
  }

  private mutating func readTable(_ content: ArraySlice<UInt8>, number: Int) -> Bool {
    guard let row = TableRow(content) else { return false }
    endParagraph()
    let isHeader = table == nil
    if isHeader {
      let first = row.cells.first?.text
      table = first == "Not" || first == "Instead of" ? .exempt : .read
    }
    guard table == .read && !row.isDivider else { return true }
    passages += row.cells.filter { !$0.isEmpty }.map { cell in
      Passage(NumberedLine(number: number, bytes: cell), hasSentences: !isHeader)
    }
    return true
  }

  private mutating func readBlock(_ line: NumberedLine) {
    let content = line.bytes
    if content.hasPrefix("<!--") {
      endParagraph()
      isInHTMLComment = content.firstIndex(of: "-->", from: content.startIndex) == nil
    } else if content.first == Byte.greater || isRule(content) || isReference(content) {
      endParagraph()
    } else if let title = heading(content) {
      endParagraph()
      passages.append(
        Passage(NumberedLine(number: line.number, bytes: title), hasSentences: false))
    } else if let item = item(content) {
      endParagraph()
      isInList = true
      let text = place == .comment ? withoutLabel(item) : item
      readText(NumberedLine(number: line.number, bytes: text))
    } else if place == .comment && readMarker(line) {
      return
    } else {
      readText(line)
    }
  }

  /// Reads a comment that is a marker to a tool.
  private mutating func readMarker(_ line: NumberedLine) -> Bool {
    let content = line.bytes
    if content.hasPrefix("note:") {
      endParagraph()
      readText(NumberedLine(number: line.number, bytes: content.dropFirst(5)))
    } else if content.hasPrefix("MARK:") {
      endParagraph()
      let title = NumberedLine(number: line.number, bytes: content.dropFirst(5))
      passages.append(Passage(title, hasSentences: false))
    } else if content.hasPrefix("region:") || content.hasPrefix("endregion")
      || content.hasPrefix("swift-format-ignore") || content.hasPrefix("swift-tools-version")
    {
      endParagraph()
    } else {
      return false
    }
    return true
  }

  /// Adds to the paragraph, which tags such as `<summary>` divide.
  private mutating func readText(_ line: NumberedLine) {
    var rest = line.bytes
    while let tag = Self.blockTag(in: rest) {
      add(NumberedLine(number: line.number, bytes: rest[..<tag.lowerBound]))
      endParagraph()
      rest = rest[tag.upperBound...]
    }
    add(NumberedLine(number: line.number, bytes: rest))
  }

  private mutating func add(_ line: NumberedLine) {
    let text = NumberedLine(number: line.number, bytes: line.bytes.trimmed)
    guard !text.bytes.isEmpty else { return }
    if paragraph == nil { paragraph = Passage(hasSentences: true) }
    paragraph?.append(text)
  }

  private mutating func endParagraph() {
    if let paragraph { passages.append(paragraph) }
    paragraph = nil
  }

  /// The title after one to six `#` and a space.
  private func heading(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let title = content.drop { $0 == Byte.hash }
    let count = title.startIndex - content.startIndex
    return (1...6).contains(count) && title.first == Byte.space ? title.trimmed : nil
  }

  /// The text after the mark of a list item: `- `, `* `, `+ `, `1. ` or `1) `.
  ///
  /// A number other than 1 starts no list in the middle of a paragraph.
  private func item(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let start = content.startIndex
    let digits = content.prefix(while: Byte.isDigit)
    let mark = start + digits.count
    guard mark + 1 < content.endIndex, content[mark + 1] == Byte.space else { return nil }
    let rest = content[(mark + 2)...].trimmed
    if digits.isEmpty {
      return [Byte.hyphen, Byte.star, Byte.plus].contains(content[mark]) ? rest : nil
    }
    let isNumbered = content[mark] == UInt8(ascii: ".") || content[mark] == Byte.closing
    return isNumbered && (paragraph == nil || isInList || digits.text == "1") ? rest : nil
  }

  /// A line of dashes, stars or equal signs.
  private func isRule(_ content: ArraySlice<UInt8>) -> Bool {
    content.count >= 2
      && content.allSatisfy {
        $0 == content[content.startIndex] || $0 == Byte.space
      } && [Byte.hyphen, Byte.star, UInt8(ascii: "=")].contains(content[content.startIndex])
  }

  /// `[label]: target`
  private func isReference(_ content: ArraySlice<UInt8>) -> Bool {
    guard content.first == UInt8(ascii: "[") else { return false }
    let label = content.prefix { $0 != UInt8(ascii: "]") }
    return content[label.endIndex...].hasPrefix("]: ")
  }

  /// An item of a doc comment without `Parameter name:`, `Returns:` or `name:`.
  private func withoutLabel(_ item: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let label = item.prefix { $0 != UInt8(ascii: ":") }
    let name = label.hasPrefix("Parameter ") ? label.dropFirst(10) : label
    let isLabel = !name.isEmpty && !name.contains { Byte.isSpace($0) || $0 == Byte.backtick }
    return isLabel && label.endIndex < item.endIndex ? item[(label.endIndex + 1)...].trimmed : item
  }

  /// The first tag that starts or ends a block of text.
  private static func blockTag(in text: ArraySlice<UInt8>) -> Range<Int>? {
    var start = text.startIndex
    while let opening = text[start...].firstIndex(of: Byte.less) {
      guard let end = text[opening...].firstIndex(of: Byte.greater) else { return nil }
      let name = text[(opening + 1)..<end].drop { $0 == Byte.slash }
        .prefix { Byte.isLetter($0) || Byte.isDigit($0) }
      if blockTags.contains(name.text) { return opening..<(end + 1) }
      start = opening + 1
    }
    return nil
  }

  private static let blockTags: Set = [
    "details", "summary", "p", "br", "div", "h1", "h2", "h3", "h4", "h5", "h6", "table", "tr",
    "td", "th", "ul", "ol", "li",
  ]
}
