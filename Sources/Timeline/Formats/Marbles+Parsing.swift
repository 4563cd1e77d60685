import VirtualTime

extension Marbles {
  /// Why a text is not a marble diagram.
  public struct ParsingError: Error, Equatable, CustomStringConvertible {
    /// The line, counted from one.
    public let line: Int

    /// What is wrong with it.
    public let message: String

    /// The line and what is wrong with it.
    public var description: String { "line \(line): \(message)" }
  }

  /// Reads a diagram as ``drawing(width:)`` writes it, in one block or several.
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

  /// What each letter stands for.
  fileprivate struct Legend {
    private(set) var marbles: [String: Marble] = [:]

    init(_ lines: [String], from start: Int) throws(ParsingError) {
      for index in lines.indices.dropFirst(start + 1) where !lines[index].isEmpty {
        let parts = lines[index].drop { $0 == " " }
        let sign = String(parts.prefix { $0 != " " })
        let text = String(parts.dropFirst(sign.count).drop { $0 == " " })
        let failurePrefix = "failed: "
        let marble: Marble? =
          switch sign.first {
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
          throw ParsingError(line: index + 1, message: "\(sign) has no text")
        }
        if sign != "()" { marbles[sign] = marble }
      }
    }
  }
}

/// Reads the blocks line by line.
private struct MarbleParser {
  typealias Problem = Marbles.Problem

  let legend: Marbles.Legend
  var parts: [Marbles.Part] = []

  /// The columns of the present block, and the row that comes next.
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
        throw Problem("the title is not a literal")
      }
      parts.append(Marbles.Part(title: title))
    } else {
      try readHeader(Array(line))
    }
  }

  private mutating func readHeader(_ line: [Character]) throws(Problem) {
    guard line.first == " " else { throw Problem("times should stand here, behind spaces") }
    columns = []
    for word in words(of: line) {
      guard let time = VirtualTime(parsing: word.text) else {
        throw Problem("\(word.text) is not a time")
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
    guard let name = label.unquoted else { throw Problem("the name is not a literal") }
    let part = parts.count - 1
    if row == parts[part].rows.count { parts[part].rows.append(Marbles.Row(name, [])) }
    guard row < parts[part].rows.count, parts[part].rows[row].name == name else {
      throw Problem("\(name) is not the name of this row in the block above")
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
    var signs: [String] = []
    for character in cell where !"()".contains(character) {
      if character.isNumber, let last = signs.last {
        signs[signs.count - 1] = last + String(character)
      } else {
        signs.append(String(character))
      }
    }
    var marbles: [Marbles.Marble] = []
    for sign in signs {
      guard let marble = legend.marbles[sign] else {
        throw Problem("\(sign) is not in the legend")
      }
      marbles.append(marble)
    }
    return marbles
  }

  private func words(of line: [Character]) -> [(start: Int, text: String)] {
    line.split(separator: " ").map { ($0.startIndex, String($0)) }
  }
}

extension VirtualTime {
  /// Reads a time such as `120ms`, `0` or `never`.
  fileprivate init?(parsing text: String) {
    let units: [(name: String, length: Int64)] = [
      ("ms", 1_000_000), ("us", 1_000), ("ns", 1), ("s", 1_000_000_000),
    ]
    switch text {
    case "never": self = .max
    case "0": self = .zero
    default:
      guard let unit = units.first(where: { text.hasSuffix($0.name) }),
        let count = Int64(text.dropLast(unit.name.count))
      else { return nil }
      let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: unit.length)
      guard !overflow else { return nil }
      self.init(nanoseconds: nanoseconds)
    }
  }
}
