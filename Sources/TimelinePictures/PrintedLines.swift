/// The places of printed lines in a row: each begins at its instant, below those before it that
/// still go on there.
struct PrintedLines {
  struct Place {
    /// The number of lines above it.
    let line: Int
    /// Its text, broken where it's too long.
    let texts: [String]

    /// How far its text reaches down from the middle of its row.
    var below: Pixels { 7 + (line + texts.count - 1) * PrintedLines.lineHeight }
  }

  /// The distance between two lines.
  static let lineHeight: Pixels = 15
  /// The distance from the instant to the text.
  static let inset: Pixels = 6
  /// The width that a printed line needs before it's broken.
  static let leastWidth: Pixels = 130

  /// The right edge of the last text of each line.
  private var edges: [Pixels] = []

  /// The width of a printed line with this many characters.
  static func width(ofLineWith cells: Int) -> Pixels {
    inset + .monospaced(cells, size: PictureSign.size)
  }

  /// Places the next text, not to the left of the last one.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - x: The place of its instant.
  ///   - limit: The right edge that it's broken at.
  /// - Returns: Its place, and its right edge.
  mutating func place(_ text: String, x: Pixels, limit: Pixels) -> (Place, right: Pixels) {
    let room = max(limit - x, Self.leastWidth) - Self.inset
    // The width of many cells, because each width is rounded up.
    let thousand = Pixels.monospaced(1_000, size: PictureSign.size)
    let texts = text.wrapped(at: max(8, room.halves * 1_000 / thousand.halves))
    // Below all that still go on here, so that the lines read from top to bottom.
    let line = edges.lastIndex { $0 + Self.inset > x }.map { $0 + 1 } ?? 0
    let new = texts.map { x + Self.width(ofLineWith: $0.cells) }
    edges.replaceSubrange(line..<min(edges.count, line + new.count), with: new)
    return (Place(line: line, texts: texts), new.max() ?? x)
  }
}
