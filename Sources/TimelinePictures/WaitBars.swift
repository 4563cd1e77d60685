import Timeline

/// A bar in a row, for a time that the row's operator lets pass.
struct WaitBar: Equatable {
  /// The position of the wait in the diagram's lanes.
  let wait: Int
  let row: Int
  let start: Int
  /// The column in which it ends.
  var end: Int
  /// Whether the time has passed. If not, the timer was stopped.
  let isOver: Bool
  /// Whether a clock stands in it. If not, one stands in the bar of a value that ends with it.
  var hasClock: Bool
  /// The mark of the event that started the timer, if an arrow leads from there down to the bar.
  var cause: Int?

  /// The columns after which the bar goes on.
  var columns: Range<Int> { start..<end }

  /// The bars of a diagram, in order of their starts. In a row, none overlaps another one, and
  /// nothing happens while one lasts.
  ///
  /// - Parameters:
  ///   - lanes: The rows and their waits.
  ///   - marks: The marks of all events.
  static func bars(_ lanes: LaneRows, _ marks: [Diagram.Mark]) -> [WaitBar] {
    var columns: [Int: [Int]] = [:]
    for mark in marks where mark.stands { columns[mark.row, default: []].append(mark.column) }
    var ends: [Int: Int] = [:]
    return lanes.waits.enumerated().compactMap { index, wait in
      let (start, end) = (marks[wait.start].column, marks[wait.end].column)
      let inRow = columns[wait.row] ?? []
      let next = inRow.firstPosition { $0 > start }
      let isFree = next == inRow.count || inRow[next] >= end
      guard start < end, isFree, start >= ends[wait.row] ?? 0 else { return nil }
      ends[wait.row] = end
      return WaitBar(
        wait: index, row: wait.row, start: start, end: end, isOver: wait.isOver,
        hasClock: wait.isOver, cause: wait.cause.map { marks[$0].anchor ?? $0 })
    }
  }
}
