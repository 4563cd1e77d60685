/// The rule that comments keep to the width of the code. The formatter only breaks code.
enum CommentWidth {
  /// As in `.swift-format`.
  static let limit = 100

  /// - Parameter text: The text of a Swift source.
  static func problems(in text: String, path: String) -> [Problem] {
    let bytes = Array(text.utf8)
    var widths: [Int: Int] = [:]
    for line in bytes.numberedLines where line.bytes.count > limit {
      let width = columns(of: line.bytes)
      if width > limit { widths[line.number] = width }
    }
    // Telling a comment from a string takes time, and most sources have no such line.
    if widths.isEmpty { return [] }
    return SwiftText(bytes).comments.joined().compactMap { comment in
      guard let width = widths[comment.number], canBreak(comment.bytes.trimmed) else { return nil }
      return Location(path: path, line: comment.number).problem(
        "this line has \(width) columns: break the comment at \(limit)")
    }
  }

  /// The number of characters: the bytes that don't continue one.
  private static func columns(of line: ArraySlice<UInt8>) -> Int {
    line.count { $0 & 0xC0 != 0x80 }
  }

  /// A row of a table can't be broken, and neither can a URL.
  private static func canBreak(_ comment: ArraySlice<UInt8>) -> Bool {
    comment.first != Byte.bar && comment.contains(Byte.space)
  }
}
