/// A row of a table in Markdown.
struct TableRow {
  let cells: [ArraySlice<UInt8>]

  /// Reads a line; `nil` if it doesn't start with a bar.
  init?(_ line: ArraySlice<UInt8>) {
    var rest = line.trimmed
    guard rest.first == Byte.bar else { return nil }
    rest.removeFirst()
    var cells: [ArraySlice<UInt8>] = []
    var start = rest.startIndex
    for index in rest.indices
    where rest[index] == Byte.bar && rest[index - 1] != Byte.backslash {
      cells.append(rest[start..<index].trimmed)
      start = index + 1
    }
    let last = rest[start...].trimmed
    self.cells = last.isEmpty ? cells : cells + [last]
  }

  /// Whether this is the row of dashes between the header and the body.
  var isDivider: Bool {
    cells.allSatisfy { cell in
      !cell.isEmpty && cell.allSatisfy { $0 == Byte.hyphen || $0 == UInt8(ascii: ":") }
    }
  }
}
