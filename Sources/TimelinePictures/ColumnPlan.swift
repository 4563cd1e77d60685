import Timeline
import VirtualTime

/// Gives each event a column, and decides which causes get an arrow.
///
/// An event that happens in the middle of another one stands in the same column. So most arrows are
/// vertical, and a column reads as one push through the pipeline. Everything else starts a new
/// column: an event without a cause at its instant, and a hop to another queue. Nothing may lie
/// under an arrow, and an arrow that comes from the left may not look as if another mark of its
/// cause's row sent it. If something is in the way, the effect moves to the right. No event stands
/// to the left of an earlier one, except demand, which stands at its mark, and parts of a response.
struct ColumnPlan {
  struct Column {
    /// The position of its instant.
    let instant: Int
    /// By row, the mark there.
    fileprivate var marks: [Int: Int] = [:]
    /// The rows that an arrow crosses.
    fileprivate var crossed: Set<Int> = []
    /// The rows that an arrow to an older spine crosses, to the left of the mark there.
    fileprivate var passed: Set<Int> = []
    /// The rows from which an arrow comes that starts further to the left: a downward one, and an
    /// upward one.
    fileprivate var leftDown: Set<Int> = []
    fileprivate var leftUp: Set<Int> = []
  }

  /// What a row has so far.
  private struct Row {
    var lastMark: Int?
    /// What the last value is made of.
    var lastOrigins: Set<Int> = []
    /// Whether demand stands at the last mark.
    var hasDemand = false
    /// The start of the last life.
    var lifeStart: Int?
  }

  /// An arrow to the next event.
  private struct Approach {
    let start: Int
    let isMade: Bool
    var spine = 0
  }

  private(set) var marks: [Diagram.Mark] = []
  private(set) var arrows: [Diagram.Arrow] = []
  private(set) var instants: [VirtualTime] = []
  private(set) var columns: [Column] = []
  let tints: [[ValueTint]]

  private let lanes: LaneRows
  private var rows: [Row]
  /// The first column of the instant, and whether subscriptions of the program started the last
  /// one.
  private var firstColumn = 0
  private var canShareHandshake = false
  /// The pairs of rows that values go between.
  private var paths: Set<[Int]> = []

  init(_ lanes: LaneRows) {
    self.lanes = lanes
    tints = ValueTint.tints(lanes)
    rows = lanes.rows.map { _ in Row() }
    for (index, event) in lanes.events.enumerated() {
      let row = lanes.isHidden[index] ? nil : lanes.rowOfEvent[index]
      place(event, row: row, cause: lanes.causes[index])
    }
  }

  /// Places the next event.
  ///
  /// - Parameters:
  ///   - event: The event, not before the last one.
  ///   - row: Its row, or `nil` if it isn't drawn.
  ///   - cause: The position of its cause.
  private mutating func place(_ event: Timeline.Event, row: Int?, cause: Int?) {
    if instants.last != event.time {
      instants.append(event.time)
      firstColumn = columns.count
      canShareHandshake = false
    }
    let lastColumn = max(firstColumn, columns.count - 1)
    let pushing = cause.flatMap { isPush(from: $0, to: event) ? lastColumn : nil }
    guard let row else {
      grow(to: lastColumn)
      let shownRow = cause.map { marks[$0].row } ?? max(0, rows.count - 1)
      return append(event, row: shownRow, column: lastColumn, isHidden: true)
    }
    if event.kind.isDemand, let last = rows[row].lastMark, !rows[row].hasDemand,
      marks[last].column >= firstColumn
    {
      rows[row].hasDemand = true
      return append(event, row: row, column: marks[last].column, anchor: last)
    }
    if let mark = markThatGoesOn(with: event, row: row) {
      return append(event, row: row, column: marks[mark].column, anchor: mark)
    }
    let isHandshake = cause == nil && event.kind == .subscription
    // A hidden event may have left its column free.
    let hasFreeColumn = columns.count > firstColumn && columns[lastColumn].marks.isEmpty
    var column = pushing ?? (hasFreeColumn ? lastColumn : columns.count)
    if isHandshake, canShareHandshake { column = lastColumn }
    if let last = rows[row].lastMark { column = max(column, marks[last].column + 1) }
    let approaches = approaches(to: event, row: row, cause: cause, isLater: pushing == nil)
    while !fits(event, row: row, in: column, from: approaches) { column += 1 }
    grow(to: column)
    if isHandshake || pushing == nil { canShareHandshake = isHandshake }
    for approach in approaches {
      let isTrigger = approach.start == cause.map(origin(of:))
      note(
        approach, to: event, row: row, in: column,
        hasTimer: isTrigger && marks[approach.start].event.time < event.time)
    }
    columns[column].marks[row] = marks.count
    rows[row].hasDemand = event.kind.isDemand
    if event.kind.isStart { rows[row].lifeStart = marks.count }
    rows[row].lastMark = marks.count
    append(event, row: row, column: column)
  }

  /// The response or the printed lines that this event goes on with, if nothing happened in
  /// between but parts of other responses.
  private func markThatGoesOn(with event: Timeline.Event, row: Int) -> Int? {
    guard let last = rows[row].lastMark, marks[last].column >= firstColumn else { return nil }
    let between = marks[(last + 1)...].filter { $0.anchor != last }
    switch (marks[last].event.kind, event.kind) {
    case (.printed, .printed): return between.isEmpty ? last : nil
    case (.network(.response), .network(.chunk)), (.network(.response), .network(.finished)),
      (.network(.chunk), .network(.chunk)), (.network(.chunk), .network(.finished)):
      return between.allSatisfy(\.event.kind.isOfResponse) ? last : nil
    default: return nil
    }
  }

  /// The arrows to the next event. A running total is made of all values before it, and shows only
  /// those that are new.
  private mutating func approaches(
    to event: Timeline.Event, row: Int, cause: Int?, isLater: Bool
  ) -> [Approach] {
    let origins = lanes.origins[marks.count]
    if case .printed = event.kind {
      // From the lane right above only: others would cross too much to say little.
      let origin = origins.last.flatMap { isRightAbove($0, row) ? $0 : nil }
      let start = origin ?? cause.flatMap { isRightAbove($0, row) ? self.origin(of: $0) : nil }
      return start.map { [Approach(start: $0, isMade: origin != nil)] } ?? []
    }
    let trigger = cause.flatMap {
      needsArrow(from: $0, to: event, row: row, isLater: isLater)
        ? Approach(start: origin(of: $0), isMade: false) : nil
    }
    guard case .value = event.kind else { return [trigger].compactMap { $0 } }
    let all = Set(origins)
    let old = rows[row].lastOrigins
    let new = old.isStrictSubset(of: all) ? origins.filter { !old.contains($0) } : origins
    rows[row].lastOrigins = all
    let newest = Array(tints[marks.count].reversed())
    let made = new.filter { marks[$0].row != row && !marks[$0].isHidden }.map { origin in
      let spine = tints[origin].last.flatMap(newest.firstIndex(of:))
      return Approach(start: origin, isMade: true, spine: spine ?? max(0, newest.count - 1))
    }
    let isTriggeredByOther = cause.map { !origins.contains($0) } ?? false
    return made + (isTriggeredByOther ? [trigger].compactMap { $0 } : [])
  }

  private func isRightAbove(_ position: Int, _ row: Int) -> Bool {
    marks[position].row == row - 1 && !marks[position].isHidden
  }

  private mutating func note(
    _ approach: Approach, to event: Timeline.Event, row: Int, in column: Int, hasTimer: Bool
  ) {
    let start = marks[approach.start]
    let leavesSideways =
      !approach.isMade && canLeaveSideways(from: start, to: row, in: column)
    let between = Self.rowsBetween(start.row, row)
    if approach.spine == 0 {
      columns[column].crossed.formUnion(between)
    } else {
      columns[column].passed.formUnion(between)
    }
    if leavesSideways {
      for between in start.column + 1...column { columns[between].crossed.insert(start.row) }
    } else if start.column < column {
      if start.row < row {
        columns[column].leftDown.insert(start.row)
      } else {
        columns[column].leftUp.insert(start.row)
      }
    }
    arrows.append(
      Diagram.Arrow(
        cause: approach.start, effect: marks.count, isMade: approach.isMade, hasTimer: hasTimer,
        leavesSideways: leavesSideways, spine: approach.spine))
    if event.kind.isValue { paths.insert([start.row, row]) }
  }

  private mutating func append(
    _ event: Timeline.Event, row: Int, column: Int, anchor: Int? = nil, isHidden: Bool = false
  ) {
    marks.append(
      Diagram.Mark(event: event, row: row, column: column, anchor: anchor, isHidden: isHidden))
  }

  private mutating func grow(to column: Int) {
    while columns.count <= column { columns.append(Column(instant: instants.count - 1)) }
  }

  /// Whether an event happens in the middle of its cause: at the same instant on the same queue,
  /// and everything between the two belongs to the cause as well.
  private func isPush(from position: Int, to event: Timeline.Event) -> Bool {
    let cause = marks[position].event
    guard cause.time == event.time else { return false }
    if let first = cause.thread, let second = event.thread, first != second { return false }
    // The network does its part when everything else is done, so other events may come first.
    switch event.kind {
    case .network(.started), .network(.cancelled): return true
    default:
      return (position + 1..<max(position + 1, marks.count)).allSatisfy {
        descends($0, from: position)
      }
    }
  }

  private func descends(_ position: Int, from ancestor: Int) -> Bool {
    var position = position
    while position > ancestor {
      guard let cause = lanes.causes[position] else { return false }
      position = cause
    }
    return position == ancestor
  }

  /// The mark that an arrow from this event starts at.
  private func origin(of cause: Int) -> Int { marks[cause].anchor ?? cause }

  private func needsArrow(
    from cause: Int, to event: Timeline.Event, row: Int, isLater: Bool
  ) -> Bool {
    guard !marks[cause].isHidden, marks[cause].row != row else { return false }
    // A source that answers later was asked by the start of its life. An arrow from whatever led to
    // that start would say it again, and it would go up from a subscriber below.
    if isLater, event.kind.isAnswer, let start = rows[row].lifeStart, descends(start, from: cause) {
      return false
    }
    let kind = marks[cause].event.kind
    switch event.kind {
    case .request: return false
    // The handshake goes through all lanes in the same way, so arrows would teach nothing.
    case .subscription: return !kind.isDemand && kind != .subscription
    case .finished, .network(.finished): return !paths.contains([marks[cause].row, row])
    case .printed, .note: return marks[cause].row == row - 1
    default: return true
    }
  }

  /// Whether a mark, and the arrows to it, can stand in this column.
  private func fits(
    _ event: Timeline.Event, row: Int, in column: Int, from approaches: [Approach]
  ) -> Bool {
    guard column < columns.count else { return true }
    let place = columns[column]
    if place.marks[row] != nil || place.crossed.contains(row) || place.leftUp.contains(row) {
      return false
    }
    if place.passed.contains(row), !hasRoomAtItsLeft(event, tints[marks.count]) { return false }
    if place.leftDown.contains(row), event.kind.canSendDown { return false }
    return approaches.allSatisfy { approach in
      let cause = marks[approach.start]
      if cause.column < column, let last = rows[cause.row].lastMark, marks[last].column == column,
        row < cause.row || marks[last].event.kind.canSendDown
      {
        return false
      }
      return Self.rowsBetween(cause.row, row).allSatisfy { row in
        guard let mark = place.marks[row] else { return true }
        // It passes to the left of marks whose words run to the right.
        return approach.spine > 0 && hasRoomAtItsLeft(marks[mark].event, tints[mark])
      }
    }
  }

  private func hasRoomAtItsLeft(_ event: Timeline.Event, _ tints: [ValueTint]) -> Bool {
    event.kind.hasWords && tints.count <= 1
  }

  /// Whether an arrow upwards can start next to its cause instead of above it, where arrows from
  /// above arrive.
  private func canLeaveSideways(from cause: Diagram.Mark, to row: Int, in column: Int) -> Bool {
    guard row < cause.row, cause.column < column, cause.column >= firstColumn else { return false }
    return columns[cause.column + 1...column].allSatisfy { $0.marks[cause.row] == nil }
  }

  static func rowsBetween(_ first: Int, _ second: Int) -> Range<Int> {
    let lower = min(first, second) + 1
    return lower..<max(lower, max(first, second))
  }
}

extension Timeline.Event.Kind {
  /// Whether a publisher sends this to its subscriber.
  fileprivate var isAnswer: Bool {
    switch self {
    case .value, .finished, .failure: true
    default: false
    }
  }

  /// Whether this is a part of a response.
  fileprivate var isOfResponse: Bool {
    switch self {
    case .network(.response), .network(.chunk), .network(.finished): true
    default: false
    }
  }

  /// Whether its sign is a box, with words that run to the right.
  fileprivate var hasWords: Bool { isValue || self == .network(.waiting) }

  /// Whether an arrow below the mark could come from it. A cancellation leads only to others above.
  fileprivate var canSendDown: Bool { self != .cancelled }

  /// Whether this carries a value, or a part of a response.
  fileprivate var isValue: Bool {
    switch self {
    case .value, .network(.response), .network(.chunk): true
    default: false
    }
  }
}
