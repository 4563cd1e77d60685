/// Divides a passage into words.
///
/// Tags and the targets of links don't count.
struct Tokenizer {
  private let text: [UInt8]
  private let lineNumbers: [Int]
  private var tokens: [Token] = []
  private var gap = Gap()
  private var index = 0
  private var lineIndex = 0
  /// The mark that ends the quotation, if one is open.
  private var closingQuote: StaticString?

  /// - Returns: The words, and the gap after the last one.
  static func tokens(of passage: Passage) -> (words: [Token], rest: Gap) {
    var tokenizer = Tokenizer(passage)
    tokenizer.scan()
    tokenizer.gap.finish()
    return (tokenizer.tokens, tokenizer.gap)
  }

  private init(_ passage: Passage) {
    text = passage.text
    lineNumbers = passage.lineNumbers
  }

  private mutating func scan() {
    while index < text.count {
      let byte = text[index]
      if Byte.isLetter(byte) || Byte.isDigit(byte) {
        word()
      } else if byte == Byte.space {
        gap.addSpace()
        index += 1
      } else if byte < 0x80 {
        mark(byte)
      } else {
        beyondASCII(byte)
      }
    }
  }

  private mutating func add(upTo end: Int, isOpaque: Bool) {
    tokens.append(
      Token(
        range: index..<end, line: lineNumbers[lineIndex], isOpaque: isOpaque,
        isQuoted: closingQuote != nil, gap: gap))
    gap = Gap()
    skip(to: end)
  }

  private mutating func skip(to end: Int) {
    while index < end {
      if text[index] == Byte.newline { lineIndex += 1 }
      index += 1
    }
  }

  private mutating func word() {
    var end = wordEnd(from: index)
    if text[end...].hasPrefix("://") {
      while end < text.count, !Byte.isSpace(text[end]), !Self.endsURL(text[end]) { end += 1 }
      while Self.endsSentence(text[end - 1]) || text[end - 1] == UInt8(ascii: ",") { end -= 1 }
      add(upTo: end, isOpaque: true)
    } else {
      add(upTo: end, isOpaque: false)
    }
  }

  /// `6.3`, `1,000` and `snake_case` are one word each.
  private func wordEnd(from start: Int) -> Int {
    var end = start
    while end < text.count {
      let byte = text[end]
      if Byte.isLetter(byte) || Byte.isDigit(byte) {
        end += 1
      } else if byte >= 0x80 {
        let length = letterLength(at: end)
        guard length > 0 else { return end }
        end += length
      } else if end > start, end + 1 < text.count, joins(byte, after: end - 1, before: end + 1) {
        end += 1
      } else {
        return end
      }
    }
    return min(end, text.count)
  }

  private func joins(_ byte: UInt8, after left: Int, before right: Int) -> Bool {
    switch byte {
    case UInt8(ascii: "_"): Byte.isLetter(text[right]) || Byte.isDigit(text[right])
    case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"):
      Byte.isDigit(text[left]) && Byte.isDigit(text[right])
    default: false
    }
  }

  /// How many bytes a letter beyond ASCII has; 0 if it's a symbol or punctuation.
  private func letterLength(at index: Int) -> Int {
    switch text[index] {
    case 0xC3...0xDF: 2
    case 0xE0, 0xE1, 0xE3...0xEE: 3
    default: 0
    }
  }

  private mutating func mark(_ byte: UInt8) {
    switch byte {
    case Byte.newline:
      lineIndex += 1
      gap.addSpace()
    case Byte.backtick: return codeSpan()
    case Byte.less: return tag()
    case Byte.quote: return quotationMark()
    case Passage.placeholder: return add(upTo: index + 1, isOpaque: true)
    case Byte.apostrophe: gap.add(.apostrophe)
    case Byte.hyphen: gap.add(.hyphen)
    case Byte.star, UInt8(ascii: "_"): break
    case UInt8(ascii: "["): gap.opensLink = true
    case UInt8(ascii: "]"): if text[index...].hasPrefix("](") { return linkTarget() }
    case UInt8(ascii: "?"): gap.addEnd(.question)
    case UInt8(ascii: "."), UInt8(ascii: "!"): addEnd()
    case Byte.closing: gap.addClosingMark()
    case Byte.backslash where index + 1 < text.count && isPunctuation(text[index + 1]):
      index += 1
      gap.add(.punctuation)
    default: if Byte.isSpace(byte) { gap.addSpace() } else { gap.add(.punctuation) }
    }
    index += 1
  }

  /// The dots of "e.g." and "i.e." don't end a sentence.
  private mutating func addEnd() {
    let isAbbreviation =
      index >= 3 && text[index] == text[index - 2] && Byte.isLetter(text[index - 1])
      && Byte.isLetter(text[index - 3]) && (index == 3 || !Byte.isLetter(text[index - 4]))
    if isAbbreviation { gap.add(.punctuation) } else { gap.addEnd(.statement) }
  }

  private func isPunctuation(_ byte: UInt8) -> Bool {
    byte > Byte.space && byte < 0x7F && !Byte.isLetter(byte) && !Byte.isDigit(byte)
  }

  private mutating func beyondASCII(_ byte: UInt8) {
    let length = letterLength(at: index)
    if length > 0 {
      add(upTo: wordEnd(from: index), isOpaque: false)
      return
    }
    let rest = text[index...]
    if rest.hasPrefix("’") {
      gap.add(.apostrophe)
    } else if rest.hasPrefix("…") {
      gap.addEnd(.statement)
    } else if rest.hasPrefix("“") || rest.hasPrefix("”") {
      return quotationMark()
    } else if rest.hasPrefix("\u{A0}") {
      gap.addSpace()
    } else if rest.hasPrefix("–") || rest.hasPrefix("—") {
      gap.addDash()
    } else {
      gap.add(.punctuation)
    }
    index += 1
    while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
  }

  /// A quotation needs both marks: a lone one is punctuation.
  private mutating func quotationMark() {
    let isStraight = text[index] == Byte.quote
    let length = isStraight ? 1 : 3
    if let closing = closingQuote {
      if text[index...].hasPrefix(closing) { closingQuote = nil }
      gap.addClosingMark()
    } else {
      let closing: StaticString = isStraight ? "\"" : "”"
      let isOpened = isStraight || text[index...].hasPrefix("“")
      if isOpened && text[...].firstIndex(of: closing, from: index + length) != nil {
        closingQuote = closing
      }
      gap.addClosingMark()
    }
    index += length
  }

  private mutating func codeSpan() {
    let start = index
    var end = start
    while end < text.count, text[end] == Byte.backtick { end += 1 }
    let count = end - start
    var run = 0
    for position in end..<text.count + 1 {
      if position < text.count, text[position] == Byte.backtick {
        run += 1
      } else if run == count {
        return add(upTo: position, isOpaque: true)
      } else {
        run = 0
      }
    }
    gap.add(.punctuation)
    index = end
  }

  /// Skips `<details>`; `<https://example.com>` is a word.
  private mutating func tag() {
    let next = index + 1 < text.count ? text[index + 1] : 0
    guard Byte.isLetter(next) || next == Byte.slash || next == UInt8(ascii: "!"),
      let end = text[(index + 1)...].firstIndex(where: { $0 == Byte.greater || $0 == Byte.less }),
      text[end] == Byte.greater
    else {
      gap.add(.punctuation)
      index += 1
      return
    }
    if text[index..<end].firstIndex(of: "://", from: index) != nil {
      add(upTo: end + 1, isOpaque: true)
    } else {
      gap.addSpace()
      skip(to: end + 1)
    }
  }

  private mutating func linkTarget() {
    var depth = 0
    for end in (index + 1)..<text.count {
      if text[end] == Byte.opening { depth += 1 }
      if text[end] == Byte.closing { depth -= 1 }
      if depth == 0 { return skip(to: end + 1) }
    }
    gap.add(.punctuation)
    index += 1
  }

  private static func endsURL(_ byte: UInt8) -> Bool {
    byte == Byte.closing || byte == Byte.greater || byte == Byte.quote || byte == Byte.backtick
      || byte == UInt8(ascii: "]")
  }

  private static func endsSentence(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "!")
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";")
  }
}
