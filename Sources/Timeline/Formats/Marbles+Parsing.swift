import VirtualTime

extension Marbles {
  /// The reason why a text isn't a marble diagram.
  public struct ParsingError: Error, Equatable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int

    /// The problem.
    public let message: String

    /// The line and the problem.
    public var description: String { "line \(line): \(message)" }
  }

  /// Reads a diagram in the format that ``drawing(width:)`` writes, in one or more blocks.
  public init(parsing text: String) throws(ParsingError) {
    parts = []
    guard text != Self.emptyDrawing else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let legendStart = lines.lastIndex(of: Self.legendHead) ?? lines.endIndex
    let legend = try Legend(lines, from: legendStart)
    var parser = MarbleParser(legend: legend)
    for (index, line) in lines[..<legendStart].enumerated() {
      do {
        try parser.read(line)
      } catch {
        throw ParsingError(line: index + 1, message: error.message)
      }
    }
    parts = parser.parts
  }

  fileprivate struct Problem: Error {
    let message: String

    init(_ message: String) { self.message = message }
  }

  /// The marbles that symbols stand for.
  fileprivate struct Legend {
    private(set) var marbles: [String: Marble] = [:]

    init(_ lines: [String], from start: Int) throws(ParsingError) {
      for index in lines.indices.dropFirst(start + 1) where !lines[index].isEmpty {
        let parts = lines[index].drop { $0 == " " }
        let symbol = String(parts.prefix { $0 != " " })
        let text = String(parts.dropFirst(symbol.count).drop { $0 == " " })
        let failurePrefix = "failed: "
        let marble: Marble? =
          switch symbol.first {
          case "^": .start
          case "|": .finished
          case "!": .cancelled
          case "(": .value("")
          case "#":
            text.hasPrefix(failurePrefix)
              ? String(text.dropFirst(failurePrefix.count)).unquoted.map { .failure($0) } : nil
          default: text.unquoted.map { .value($0) }
          }
        guard let marble else {
          throw ParsingError(line: index + 1, message: "\(symbol) has no text")
        }
        if symbol != "()" { marbles[symbol] = marble }
      }
    }
  }
}

/// Reads the blocks line by line.
private struct MarbleParser {
  typealias Problem = Marbles.Problem
  let legend: Marbles.Legend
  var parts: [Marbles.Part] = []

  /// The columns of the current block, and the number of its next row.
  private var columns: [(start: Int, time: VirtualTime)] = []
  private var row = 0
  private var isInBlock = false
  private var labelWidth = 0

  init(legend: Marbles.Legend) { self.legend = legend }

  mutating func read(_ line: String) throws(Problem) {
    if line.isEmpty {
      isInBlock = false
    } else if isInBlock {
      try readRow(Array(line))
    } else if line.hasPrefix("# ") {
      guard let title = String(line.dropFirst(2)).unquoted else {
        throw Problem("the title isn't a string literal")
      }
      parts.append(Marbles.Part(title: title))
    } else {
      try readHeader(Array(line))
    }
  }

  private mutating func readHeader(_ line: [Character]) throws(Problem) {
    guard line.first == " " else {
      throw Problem("this line must start with spaces and list times")
    }
    columns = []
    for word in words(of: line) {
      guard let time = VirtualTime(parsing: word.text) else {
        throw Problem("\(word.text) isn't a time, such as 120ms")
      }
      columns.append((word.start, time))
    }
    labelWidth = columns.first?.start ?? 0
    row = 0
    isInBlock = true
    if parts.isEmpty { parts.append(Marbles.Part()) }
  }

  private mutating func readRow(_ line: [Character]) throws(Problem) {
    let label = String(line.prefix(labelWidth)).withoutTrailingSpaces
    guard let name = label.unquoted else { throw Problem("the name isn't a string literal") }
    let part = parts.count - 1
    if row == parts[part].rows.count { parts[part].rows.append(Marbles.Row(name, [])) }
    guard row < parts[part].rows.count, parts[part].rows[row].name == name else {
      throw Problem("\(name) isn't the name of this row in the block above")
    }
    for (start, end, time) in cells {
      let cell = line[min(start, line.count)..<min(end, line.count)].prefix { !"- ".contains($0) }
      for marble in try marbles(in: Array(cell)) {
        parts[part].rows[row].marbles.append(Marbles.Placed(marble, at: time))
      }
    }
    row += 1
  }

  private var cells: [(start: Int, end: Int, time: VirtualTime)] {
    columns.enumerated().map { index, column in
      let end = index + 1 < columns.count ? columns[index + 1].start : .max
      return (column.start, end, column.time)
    }
  }

  private func marbles(in cell: [Character]) throws(Problem) -> [Marbles.Marble] {
    var symbols: [String] = []
    for character in cell where !"()".contains(character) {
      if character.isNumber, let last = symbols.last {
        symbols[symbols.count - 1] = last + String(character)
      } else {
        symbols.append(String(character))
      }
    }
    var marbles: [Marbles.Marble] = []
    for symbol in symbols {
      guard let marble = legend.marbles[symbol] else {
        throw Problem("\(symbol) isn't in the legend")
      }
      marbles.append(marble)
    }
    return marbles
  }

  private func words(of line: [Character]) -> [(start: Int, text: String)] {
    line.split(separator: " ").map { ($0.startIndex, String($0)) }
  }
}
