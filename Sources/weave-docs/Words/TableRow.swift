/// A row of a table in Markdown.
struct TableRow {
  let cells: [ArraySlice<UInt8>]

  /// Reads a line; `nil` if it doesn't start with a bar.
  init?(_ line: ArraySlice<UInt8>) {
    let text = line.trimmed
    guard text.first == Byte.bar else { return nil }
    var cells: [ArraySlice<UInt8>] = []
    var start = text.startIndex + 1
    for index in text.indices.dropFirst()
    where text[index] == Byte.bar && text[index - 1] != Byte.backslash {
      cells.append(text[start..<index].trimmed)
      start = index + 1
    }
    let last = text[start...].trimmed
    self.cells = last.isEmpty ? cells : cells + [last]
  }

  /// Whether this is the row of dashes between the header and the body.
  var isDivider: Bool {
    cells.allSatisfy { cell in
      !cell.isEmpty && cell.allSatisfy { $0 == Byte.hyphen || $0 == UInt8(ascii: ":") }
    }
  }
}
