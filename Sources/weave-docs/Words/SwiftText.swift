/// The comments and strings of a Swift source.
struct SwiftText {
  /// Comments on consecutive lines are one element. Each line is without its slashes.
  private(set) var comments: [[NumberedLine]] = []
  /// String literals, with interpolations as placeholders. Literals joined by `+` are one.
  private(set) var strings: [Passage] = []

  private let text: [UInt8]
  private var index = 0
  private var line = 1
  /// Whether the line holds anything before the index.
  private var isInLine = false
  /// The literal that a `+` would go on with.
  private var string: Passage?
  private var lastComment: Comment?

  private struct Comment {
    let line: Int
    let slashes: Int
    let isAlone: Bool
  }

  init(_ text: [UInt8]) {
    self.text = text
    code(isInterpolation: false)
    endString()
  }

  private func peek(_ offset: Int) -> UInt8 {
    index + offset < text.count ? text[index + offset] : 0
  }

  /// Reads to the end, or to the parenthesis that ends an interpolation.
  private mutating func code(isInterpolation: Bool) {
    var depth = 0
    while index < text.count {
      let byte = text[index]
      switch byte {
      case Byte.space: index += 1
      case Byte.newline:
        newline()
      case Byte.slash where peek(1) == Byte.slash: lineComment()
      case Byte.slash where peek(1) == Byte.star: blockComment()
      case Byte.quote: literal(hashes: 0)
      case Byte.hash:
        var hashes = 1
        while peek(hashes) == Byte.hash { hashes += 1 }
        if peek(hashes) == Byte.quote {
          literal(hashes: hashes)
        } else {
          other(count: hashes)
        }
      case Byte.backtick: identifier()
      case Byte.closing where depth == 0 && isInterpolation: return
      case Byte.opening, Byte.closing:
        depth += byte == Byte.opening ? 1 : -1
        other(count: 1)
      case Byte.plus:
        isInLine = true
        index += 1
      default: other(count: 1)
      }
    }
  }

  private mutating func newline() {
    line += 1
    index += 1
    isInLine = false
  }

  private mutating func other(count: Int) {
    if string != nil { endString() }
    isInLine = true
    index += count
  }

  /// An identifier between backticks can hold any mark, as the names of tests do.
  private mutating func identifier() {
    var count = 1
    while peek(count) != Byte.backtick && peek(count) != Byte.newline && peek(count) != 0 {
      count += 1
    }
    other(count: peek(count) == Byte.backtick ? count + 1 : 1)
  }

  private mutating func lineComment() {
    var slashes = 2
    while peek(slashes) == Byte.slash { slashes += 1 }
    var end = index + slashes
    let start = end
    while end < text.count, text[end] != Byte.newline { end += 1 }
    let isNext =
      lastComment.map {
        $0.isAlone && $0.line + 1 == line && $0.slashes == slashes && !isInLine
      } ?? false
    let bytes = text[start..<end]
    let comment = NumberedLine(
      number: line, bytes: bytes.first == Byte.space ? bytes.dropFirst() : bytes)
    if isNext {
      comments[comments.count - 1].append(comment)
    } else {
      comments.append([comment])
    }
    lastComment = Comment(line: line, slashes: slashes, isAlone: !isInLine)
    index = end
  }

  /// Block comments nest.
  private mutating func blockComment() {
    var depth = 0
    var bytes: [UInt8] = []
    let first = line
    repeat {
      if peek(0) == Byte.slash && peek(1) == Byte.star {
        depth += 1
        index += 2
      } else if peek(0) == Byte.star && peek(1) == Byte.slash {
        depth -= 1
        index += 2
      } else {
        if text[index] == Byte.newline { line += 1 }
        bytes.append(text[index])
        index += 1
      }
    } while depth > 0 && index < text.count
    isInLine = true
    comments.append(
      bytes.numberedLines.map { line in
        var content = line.bytes.trimmed
        while content.first == Byte.star { content.removeFirst() }
        return NumberedLine(number: first + line.number - 1, bytes: content.trimmed)
      })
  }

  private mutating func endString() {
    if let string { strings.append(string) }
    string = nil
  }

  /// Reads a literal, with `#` marks around it if it's a raw one.
  private mutating func literal(hashes: Int) {
    var passage = string ?? Passage(hasSentences: false)
    // A string in an interpolation stands on its own.
    string = nil
    isInLine = true
    index += hashes
    let isMultiline =
      peek(1) == Byte.quote && peek(2) == Byte.quote && peek(3) == Byte.newline
    index += isMultiline ? 3 : 1
    passage.append(NumberedLine(number: line, bytes: []))
    while index < text.count {
      let byte = text[index]
      if byte == Byte.quote && isEnd(hashes: hashes, isMultiline: isMultiline) {
        index += (isMultiline ? 3 : 1) + hashes
        break
      } else if byte == Byte.backslash && isEscape(hashes: hashes) {
        index += 1 + hashes
        escape(in: &passage)
      } else if byte == Byte.newline {
        guard isMultiline else { break }
        startLine(of: &passage)
      } else {
        passage.append(byte)
        index += 1
      }
    }
    string = passage
  }

  private func isEnd(hashes: Int, isMultiline: Bool) -> Bool {
    if isMultiline && (peek(1) != Byte.quote || peek(2) != Byte.quote) { return false }
    return hasHashes(hashes, at: isMultiline ? 3 : 1)
  }

  private func isEscape(hashes: Int) -> Bool { hasHashes(hashes, at: 1) }

  private func hasHashes(_ count: Int, at offset: Int) -> Bool {
    for position in 0..<count where peek(offset + position) != Byte.hash { return false }
    return true
  }

  /// A blank line of a literal divides it.
  private mutating func startLine(of passage: inout Passage) {
    newline()
    var end = index
    while end < text.count, text[end] == Byte.space { end += 1 }
    if end < text.count, text[end] == Byte.newline {
      strings.append(passage)
      passage = Passage(hasSentences: false)
    }
    passage.append(NumberedLine(number: line, bytes: []))
    isInLine = true
  }

  /// Reads an escape after its backslash.
  private mutating func escape(in passage: inout Passage) {
    switch peek(0) {
    case Byte.opening:
      index += 1
      code(isInterpolation: true)
      endString()
      index += 1
      passage.append(Passage.placeholder)
    case Byte.newline: startLine(of: &passage)
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "0"):
      passage.append(Byte.space)
      index += 1
    case UInt8(ascii: "u"):
      while index < text.count, text[index] != UInt8(ascii: "}") { index += 1 }
      index += 1
      passage.append(Passage.placeholder)
    default:
      passage.append(peek(0))
      index += 1
    }
  }
}
