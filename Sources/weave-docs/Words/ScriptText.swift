/// The comments of a makefile or a shell script.
enum ScriptText {
  /// Comments on consecutive lines are one element. Each line is without its `#` marks.
  static func comments(in lines: [NumberedLine]) -> [[NumberedLine]] {
    var comments: [[NumberedLine]] = []
    var isOpen = false
    for line in lines where !line.bytes.hasPrefix("#!") {
      guard let start = commentStart(in: line.bytes) else {
        isOpen = false
        continue
      }
      let bytes = line.bytes[start...].drop { $0 == Byte.hash }
      let comment = NumberedLine(
        number: line.number, bytes: bytes.first == Byte.space ? bytes.dropFirst() : bytes)
      let isAlone = line.bytes[..<start].trimmed.isEmpty
      if isOpen && isAlone {
        comments[comments.count - 1].append(comment)
      } else {
        comments.append([comment])
      }
      isOpen = isAlone
    }
    return comments
  }

  /// Where a `#` starts a comment: first in its line or after white space, and outside quotes.
  private static func commentStart(in line: ArraySlice<UInt8>) -> Int? {
    var quote: UInt8?
    for index in line.indices {
      let byte = line[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == Byte.quote || byte == Byte.apostrophe {
        quote = byte
      } else if byte == Byte.hash, index == line.startIndex || Byte.isSpace(line[index - 1]) {
        return index
      }
    }
    return nil
  }
}
