/// The bytes that the readers of text look for.
///
/// The check reads bytes, because `Character` is too slow for all sources in a debug build.
enum Byte {
  static let newline = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let backtick = UInt8(ascii: "`")
  static let backslash = UInt8(ascii: "\\")
  static let slash = UInt8(ascii: "/")
  static let hash = UInt8(ascii: "#")
  static let star = UInt8(ascii: "*")
  static let hyphen = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let bar = UInt8(ascii: "|")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let opening = UInt8(ascii: "(")
  static let closing = UInt8(ascii: ")")

  static func isSpace(_ byte: UInt8) -> Bool { byte == space || (byte >= 9 && byte <= 13) }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isCapital(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }

  static func isSmall(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }

  static func isLetter(_ byte: UInt8) -> Bool { isSmall(byte | 0x20) }

  static func lowercased(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space at both ends.
  var trimmed: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, Byte.isSpace(self[start]) { start += 1 }
    while start < end, Byte.isSpace(self[end - 1]) { end -= 1 }
    return self[start..<end]
  }

  var text: String { String(decoding: self, as: UTF8.self) }

  func hasPrefix(_ prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    for offset in 0..<prefix.utf8CodeUnitCount
    where self[startIndex + offset] != prefix.utf8Start[offset] { return false }
    return true
  }

  /// Where a text starts, searched from an index on.
  func firstIndex(of text: StaticString, from start: Int) -> Int? {
    var index = start
    while index + text.utf8CodeUnitCount <= endIndex {
      if self[index] == text.utf8Start[0], self[index...].hasPrefix(text) { return index }
      index += 1
    }
    return nil
  }
}

extension [UInt8] {
  /// The lines without their newlines, numbered from one.
  var numberedLines: [NumberedLine] {
    var lines: [NumberedLine] = []
    var start = 0
    for index in indices where self[index] == Byte.newline {
      lines.append(NumberedLine(number: lines.count + 1, bytes: self[start..<index]))
      start = index + 1
    }
    if start < count { lines.append(NumberedLine(number: lines.count + 1, bytes: self[start...])) }
    return lines
  }
}
