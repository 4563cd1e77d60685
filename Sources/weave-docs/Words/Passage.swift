/// Text that is checked as one: a paragraph, a list item, a table cell, a string.
struct Passage {
  /// Stands for text that isn't known, such as an interpolation. It counts as one word.
  static let placeholder: UInt8 = 0x1A

  /// Whether the rules for sentences apply too, or only the list of words.
  let hasSentences: Bool
  private(set) var text: [UInt8] = []
  /// For each line of `text`, the number of its line in the file.
  private(set) var lineNumbers: [Int] = []

  /// - Parameter hasSentences: Whether the rules for sentences apply.
  init(hasSentences: Bool) { self.hasSentences = hasSentences }

  init(_ line: NumberedLine, hasSentences: Bool) {
    self.init(hasSentences: hasSentences)
    append(line)
  }

  /// Adds a line of the file.
  mutating func append(_ line: NumberedLine) {
    if !lineNumbers.isEmpty { text.append(Byte.newline) }
    lineNumbers.append(line.number)
    text += line.bytes
  }

  /// Adds a byte to the last line.
  mutating func append(_ byte: UInt8) { text.append(byte) }
}

/// A line of a file, or the part of it that is prose.
struct NumberedLine {
  let number: Int
  var bytes: ArraySlice<UInt8>
}
