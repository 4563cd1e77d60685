import Foundation

/// A table in Markdown.
package struct PageTable: Equatable, Sendable {
  package enum Alignment: String, Sendable {
    case left = "---"
    case right = "---:"
  }

  package struct Column: Equatable, Sendable {
    package let header: String
    package let alignment: Alignment

    package static func left(_ header: String) -> Column {
      Column(header: header, alignment: .left)
    }

    package static func right(_ header: String) -> Column {
      Column(header: header, alignment: .right)
    }
  }

  package let columns: [Column]
  /// Each row has as many cells as there are columns. A cell is Markdown, in one line.
  package var rows: [[String]]

  package init(_ columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The lines of the table. A `|` in a cell is escaped.
  package var lines: [String] {
    for row in rows {
      precondition(row.count == columns.count, "a row has \(row.count) of \(columns.count) cells")
    }
    let head = [columns.map(\.header), columns.map(\.alignment.rawValue)]
    return head.map(Self.line) + rows.map { Self.line($0.map(Self.escaped)) }
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func escaped(_ cell: String) -> String {
    cell.split(whereSeparator: \.isNewline).joined(separator: " ")
      .replacingOccurrences(of: "|", with: "\\|")
  }
}

/// The part of a page that a program writes. It stands between `<!-- name -->` and
/// `<!-- /name -->`, which are lines of their own.
package struct PageBlock: Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// Returns a page with other lines in the block, and an empty line before and after them.
  ///
  /// - Throws: `Program.Failure` if the page doesn't have each of the two comments once, the
  ///   opening one first.
  package func replacing(in page: String, with lines: [String]) throws -> String {
    let all = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let (opening, closing) = ("<!-- \(name) -->", "<!-- /\(name) -->")
    let (first, last) = (all.positions(of: opening), all.positions(of: closing))
    guard first.count == 1, last.count == 1, first[0] < last[0] else {
      throw Program.Failure(
        description: "the page needs the lines \(opening) and \(closing), each once, in this order")
    }
    return (all[...first[0]] + [""] + lines + [""] + all[last[0]...]).joined(separator: "\n")
  }

  /// Writes the lines into the block of a page.
  package func write(_ lines: [String], to page: URL) throws {
    let old = try String(contentsOf: page, encoding: .utf8)
    try replacing(in: old, with: lines).write(to: page, atomically: true, encoding: .utf8)
  }
}

extension [String] {
  fileprivate func positions(of line: String) -> [Int] { indices.filter { self[$0] == line } }
}
