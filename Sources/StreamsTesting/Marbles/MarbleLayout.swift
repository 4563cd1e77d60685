import VirtualTime

/// Marble strings, drawn one above the other so that each instant has the same column in all rows.
///
/// ```swift
/// let layout = MarbleLayout([names, winners])
/// layout.rows
/// // -a-a-b--c-d|
/// // -a---(b|)
/// ```
///
/// Every row is a marble string that can be read. All rows spend the same time and the same columns
/// on an instant: a row with fewer symbols there is filled with dashes, which pass the time, and
/// then with spaces, which don't. A row ends behind its last symbol, so a group there takes no
/// columns in the other rows.
public struct MarbleLayout {
  /// The drawn rows.
  public private(set) var rows: [String]

  /// Where each instant begins, in characters.
  private var columns: [VirtualTime: Int] = [:]
  private let frame: VirtualTime.Interval
  private let longestGap: Int
  private let instants: [[VirtualTime: [MarbleString.Placed]]]
  /// The moment of each row's last symbol.
  private let lastTimes: [VirtualTime?]
  /// The characters of each row so far, and how many of them there are up to its last symbol.
  private var width = 0
  private var ends: [Int]

  /// Draws strings.
  ///
  /// - Parameters:
  ///   - strings: The strings, from top to bottom.
  ///   - frame: How long a frame is: more than 0.
  ///   - longestGap: The longest gap that is drawn as dashes, in frames. Any other is a time.
  public init(
    _ strings: [MarbleString], frame: VirtualTime.Interval = MarbleString.defaultFrame,
    longestGap: Int = 10
  ) {
    precondition(frame > .zero, "a frame of \(frame) is too short, so make it longer")
    precondition(longestGap >= 0, "a gap of \(longestGap) frames can't be drawn")
    self.frame = frame
    self.longestGap = longestGap
    rows = strings.map { _ in "" }
    ends = strings.map { _ in 0 }
    instants = strings.map { Dictionary(grouping: $0.symbols, by: \.time) }
    lastTimes = strings.map(\.symbols.last?.time)
    var cursor = VirtualTime.zero
    for time in Set(instants.flatMap(\.keys)).sorted() {
      appendToAll(gap(from: cursor, to: time))
      let cells = instants.map { MarbleCell($0[time] ?? []) }
      let frames = zip(cells, lastTimes).map { $1 == time ? 0 : $0.frames }.max() ?? 0
      append(cells, frames: frames, at: time)
      cursor = time.advanced(by: .nanoseconds(Int(frame.nanoseconds) * frames))
    }
    for row in rows.indices { self.rows[row] = String(self.rows[row].prefix(ends[row])) }
  }

  /// The column at which an instant begins, counted from zero; `nil` if no row has a symbol then.
  public func column(at time: VirtualTime) -> Int? { columns[time] }

  /// The column of one of the symbols of an instant in a row, or of the instant if it has fewer.
  func column(of index: Int, at time: VirtualTime, in row: Int) -> Int {
    let column = columns[time] ?? 0
    guard let symbols = instants[row][time], index < symbols.count else { return column }
    return column + MarbleCell(symbols).offsets[index]
  }

  private mutating func appendToAll(_ text: String) {
    for row in rows.indices { rows[row] += text }
    width += text.count
  }

  private mutating func append(_ cells: [MarbleCell], frames: Int, at time: VirtualTime) {
    // Otherwise a digit and the letter after it could be read as a time.
    if zip(rows, cells).contains(where: { needsSpace(between: $0.last, and: $1.text.first) }) {
      appendToAll(" ")
    }
    columns[time] = width
    let texts = cells.map { $0.text + String(repeating: "-", count: max(0, frames - $0.frames)) }
    // What ends a row is cut off at its end, so it needs no room in the others.
    let cellWidth = zip(texts, lastTimes).map { $1 == time ? 0 : $0.count }.max() ?? 0
    for row in rows.indices {
      if cells[row].frames > 0 { ends[row] = width + cells[row].text.count }
      rows[row] += texts[row]
      rows[row] += String(repeating: " ", count: max(0, cellWidth - texts[row].count))
    }
    width += cellWidth
  }

  private func gap(from cursor: VirtualTime, to time: VirtualTime) -> String {
    let gap = cursor.distance(to: time)
    let (frames, rest) = gap.nanoseconds.quotientAndRemainder(dividingBy: frame.nanoseconds)
    if rest == 0, 0...Int64(longestGap) ~= frames {
      return String(repeating: "-", count: Int(frames))
    }
    let token =
      gap > .zero ? "\(gap)" : "@\(time == .zero ? "0ms" : time.description)"
    return (columns.isEmpty ? "" : " ") + token + " "
  }
}

/// The symbols of one row at one instant.
private struct MarbleCell {
  let text: String

  /// Where each symbol stands in the text.
  let offsets: [Int]

  /// How many frames the text takes: a group takes one for each character.
  let frames: Int

  init(_ symbols: [MarbleString.Placed]) {
    let isGroup = symbols.count > 1
    var text = isGroup ? "(" : ""
    var offsets: [Int] = []
    for character in symbols.map(\.symbol.character) {
      if needsSpace(between: text.last, and: character) { text += " " }
      offsets.append(text.count)
      text.append(character)
    }
    self.text = isGroup ? text + ")" : text
    self.offsets = offsets
    frames = isGroup ? symbols.count + 2 : symbols.count
  }
}

/// Whether two adjacent characters could be read as part of a time.
private func needsSpace(between first: Character?, and second: Character?) -> Bool {
  guard let first, let second else { return false }
  return "0123456789".contains(first) && "0123456789.nums".contains(second)
}
