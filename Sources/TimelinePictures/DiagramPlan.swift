import Timeline
import VirtualTime

/// Gives each event its place in a diagram, and decides which causes get an arrow.
///
/// What a row has at an instant stands in levels, from top to bottom in the order in which it
/// happened. An event that happens in the middle of another one has the same level, so a level
/// reads as one push through the pipeline. If levels would get in each other's way, each has a
/// column instead.
struct DiagramPlan {
  /// What a row has so far.
  private struct Row {
    var lastMark: Int?
    /// What the last value is made of.
    var lastOrigins: Set<Int> = []
    /// The last demand, if nothing came after it.
    var lastDemand: Int?
    /// The start of the last life.
    var lifeStart: Int?
  }

  private(set) var marks: [Diagram.Mark] = []
  private(set) var arrows: [Diagram.Arrow] = []
  private(set) var discards: [Diagram.Discard] = []
  private(set) var instants: [VirtualTime] = []
  let tints: [[ValueTint]]

  private let lanes: LaneRows
  private var rows: [Row]
  /// The rows that have only printed lines.
  private let linesOnly: Set<Int>
  /// The number of pushes at the instant so far, and whether subscriptions of the program started
  /// the last one.
  private var pushCount = 0
  private var canShareHandshake = false
  /// The values that were dropped, with the rows of the operators that dropped them.
  private let droppers: [(value: Int, row: Int)]
  /// The pairs of rows that values go between.
  private var paths: Set<[Int]> = []

  /// The instants whose pushes have columns of their own.
  private let spread: Set<VirtualTime>

  /// Plans a diagram. Two marks of a row at an instant stand below each other. If there are more
  /// anywhere, or if two of them are values or ends, which may lead on to other rows, each push of
  /// an instant with such marks has a column of its own.
  init(_ lanes: LaneRows) {
    let stacked = DiagramPlan(lanes, spreading: [])
    let stacks = Dictionary(grouping: stacked.marks.filter(\.stands)) { [$0.row, $0.column] }
    let isHigh = stacks.values.contains { stack in
      stack.count > 2 || stack.count { $0.event.kind.isAnswer } > 1
    }
    guard isHigh else {
      self = stacked
      return
    }
    let times = stacks.values.filter { $0.count > 1 }.compactMap(\.first?.event.time)
    self = DiagramPlan(lanes, spreading: Set(times))
  }

  private init(_ lanes: LaneRows, spreading spread: Set<VirtualTime>) {
    self.lanes = lanes
    self.spread = spread
    tints = ValueTint.tints(lanes)
    droppers = ValueFate.droppers(lanes)
    rows = lanes.rows.map { _ in Row() }
    let drawn = lanes.events.indices.filter { !lanes.isHidden[$0] }
    linesOnly = Set(lanes.rows.indices).subtracting(
      drawn.filter { !lanes.events[$0].kind.isLine }.compactMap { lanes.rowOfEvent[$0] })
    for (index, event) in lanes.events.enumerated() {
      let row = lanes.isHidden[index] ? nil : lanes.rowOfEvent[index]
      place(event, row: row, cause: lanes.causes[index])
    }
    discards = droppers.map { value, row in
      Diagram.Discard(value: value, row: row, level: marks[value].level)
    }
    makeRoomForDiscards()
    closeUp()
  }

  private var column: Int { instants.count - 1 }

  /// Places the next event.
  ///
  /// - Parameters:
  ///   - event: The event, not before the last one.
  ///   - row: Its row, or `nil` if it isn't drawn.
  ///   - cause: The position of its cause.
  private mutating func place(_ event: Timeline.Event, row: Int?, cause: Int?) {
    if instants.last != event.time {
      instants.append(event.time)
      pushCount = 0
      canShareHandshake = false
    }
    guard let row else {
      let shownRow = cause.map { marks[$0].row } ?? max(0, rows.count - 1)
      // What hidden demand leads to starts at the mark that it would stand at.
      let demandRow = event.kind.isDemand ? lanes.rowOfEvent[marks.count] : nil
      let anchor = demandRow.flatMap(lastMark(inRow:))
      return append(
        event, row: anchor.map { marks[$0].row } ?? shownRow, anchor: anchor, isHidden: true)
    }
    let last = lastMark(inRow: row)
    if event.kind.isDemand {
      let demand = rows[row].lastDemand.flatMap { marks[$0].column == column ? $0 : nil }
      rows[row].lastDemand = marks.count
      return append(event, row: row, anchor: demand ?? last)
    }
    if let last, goesOn(event, from: last, cause: cause, row: row) {
      return append(event, row: row, level: marks[last].level, anchor: last)
    }
    let isHandshake = cause == nil && event.kind == .subscription
    let isPushed = cause.map { isPush(from: $0, to: event) } ?? false
    if !isPushed, !(isHandshake && canShareHandshake) {
      pushCount += 1
      canShareHandshake = isHandshake
    }
    if let last { pushCount = max(pushCount, marks[last].level + 2) }
    // A sequence sends its values in one call, so each of them belongs to the same request.
    let isNextOfCall = cause.map { marks[$0].column < column } ?? false && isColumnUsed
    if pushCount > 1 || isNextOfCall, spread.contains(event.time) {
      instants.append(event.time)
      pushCount = 1
    }
    addArrows(to: event, row: row, cause: cause, isLater: !isPushed)
    rows[row].lastDemand = nil
    if event.kind.isStart { rows[row].lifeStart = marks.count }
    rows[row].lastMark = marks.count
    append(event, row: row, level: max(0, pushCount - 1))
  }

  /// Whether something stands in the present column.
  private var isColumnUsed: Bool { marks.last { $0.stands }?.column == column }

  /// The last mark of a row, if it's at this instant.
  private func lastMark(inRow row: Int) -> Int? {
    rows[row].lastMark.flatMap { marks[$0].column == column ? $0 : nil }
  }

  private mutating func append(
    _ event: Timeline.Event, row: Int, level: Int = 0, anchor: Int? = nil, isHidden: Bool = false
  ) {
    marks.append(
      Diagram.Mark(
        event: event, row: row, column: column, level: level, anchor: anchor, isHidden: isHidden,
        isLine: linesOnly.contains(row)))
  }

  /// Whether an event stands at the mark before it: chunks in the box of their response, the end of
  /// a response or of a stream behind the words before it, and a printed line below others.
  ///
  /// Chunks and printed lines start another mark if something else happened in between. An end that
  /// needs an arrow stands alone.
  private func goesOn(_ event: Timeline.Event, from last: Int, cause: Int?, row: Int) -> Bool {
    let between = marks.indices[(last + 1)...].filter { marks[$0].anchor != last }
    switch (marks[last].event.kind, event.kind) {
    case (.printed, .printed): return between.isEmpty && linesOnly.contains(row)
    case (.network(.response), .network(.chunk)), (.network(.chunk), .network(.chunk)):
      return between.allSatisfy { marks[$0].event.kind.isOfResponse }
    case (.network(.response), .network(.finished)), (.network(.chunk), .network(.finished)):
      return true
    case (.value, .finished):
      // It comes after what the row dropped.
      let hasDropped = droppers.contains {
        $0.row == row && last < $0.value && $0.value < marks.count
      }
      return !hasDropped
        && !(cause.map { needsArrow(from: $0, to: event, row: row, isLater: false) } ?? false)
    default: return false
    }
  }

  /// Puts what a row does at the push of a value that it drops below the place of the discard.
  private mutating func makeRoomForDiscards() {
    for index in marks.indices { marks[index].level *= 2 }
    for index in discards.indices {
      discards[index].level *= 2
      let discard = discards[index]
      for later in (discard.value + 1)..<max(marks.count, discard.value + 1)
      where marks[later].column == marks[discard.value].column
        && marks[later].row == discard.row && marks[later].level == discard.level
      {
        marks[later].level += 1
      }
    }
  }

  /// Leaves out levels that no row needs. Only rows with several marks at an instant share levels,
  /// so that marks of one push stand at the same level. A single mark stands at the first one, and
  /// so does the first of rows that have nothing to do with others at the instant.
  private mutating func closeUp() {
    let groups = rowGroups
    /// A mark or, with a position after those of the marks, a discard.
    typealias Place = (index: Int, row: Int, mark: Diagram.Mark)
    let standing = marks.indices.filter { marks[$0].stands }
    let places: [Place] =
      standing.map { ($0, marks[$0].row, marks[$0]) }
      + discards.enumerated().map { (marks.count + $0, $1.row, marks[$1.value]) }
    let all = Dictionary(grouping: places) { [$0.mark.column, groups[$0.mark.column][$0.row]] }
    for cells in all.values {
      let stacks = Dictionary(grouping: cells, by: \.row).values.filter { $0.count > 1 }
      let used = Set(stacks.joined().map(\.mark.level)).sorted()
      let levels = Dictionary(uniqueKeysWithValues: zip(used, 0...))
      for cell in cells { setLevel(0, at: cell.index) }
      for cell in stacks.joined() { setLevel(levels[cell.mark.level] ?? 0, at: cell.index) }
    }
    for index in marks.indices where !marks[index].stands {
      marks[index].level = marks[index].anchor.map { marks[$0].level } ?? 0
    }
  }

  private mutating func setLevel(_ level: Int, at position: Int) {
    if position < marks.count {
      marks[position].level = level
    } else {
      discards[position - marks.count].level = level
    }
  }

  /// For each instant, the first of the rows that each row is connected with there: by causes, and
  /// by the values that others are made of.
  private var rowGroups: [[Int]] {
    var groups = instants.map { _ in Array(rows.indices) }
    func connect(_ row: Int, _ other: Int, at column: Int) {
      let (first, second) = (groups[column][row], groups[column][other])
      guard first != second else { return }
      groups[column] = groups[column].map {
        $0 == max(first, second) ? min(first, second) : $0
      }
    }
    for (index, mark) in marks.enumerated() {
      for source in lanes.origins[index] + [lanes.causes[index]].compactMap(\.self)
      where marks[source].column == mark.column {
        connect(mark.row, marks[source].row, at: mark.column)
      }
    }
    for discard in discards {
      connect(discard.row, marks[discard.value].row, at: marks[discard.value].column)
    }
    return groups
  }

  // MARK: Arrows

  /// Adds the arrows to the next event. A running total is made of all values before it, and shows
  /// only those that are new.
  private mutating func addArrows(
    to event: Timeline.Event, row: Int, cause: Int?, isLater: Bool
  ) {
    let origins = lanes.origins[marks.count]
    if case .printed = event.kind {
      // From the lane right above only: others would cross too much to say little.
      let origin = origins.last.flatMap { isRightAbove($0, row) ? $0 : nil }
      let start = origin ?? cause.flatMap { isRightAbove($0, row) ? self.origin(of: $0) : nil }
      if let start { addArrow(from: start, to: event, row: row, isMade: origin != nil) }
      return
    }
    let trigger = cause.flatMap {
      needsArrow(from: $0, to: event, row: row, isLater: isLater) ? origin(of: $0) : nil
    }
    guard case .value = event.kind else {
      if let trigger { addArrow(from: trigger, to: event, row: row, isTrigger: true) }
      return
    }
    let all = Set(origins)
    let old = rows[row].lastOrigins
    let new = old.isStrictSubset(of: all) ? origins.filter { !old.contains($0) } : origins
    rows[row].lastOrigins = all
    let newest = Array(tints[marks.count].reversed())
    for origin in new where marks[origin].row != row && !marks[origin].isHidden {
      let spine = tints[origin].last.flatMap(newest.firstIndex(of:))
      addArrow(
        from: origin, to: event, row: row, isMade: true, isTrigger: origin == trigger,
        spine: spine ?? max(0, newest.count - 1))
    }
    if let cause, !origins.contains(cause), let trigger {
      addArrow(from: trigger, to: event, row: row, isTrigger: true)
    }
  }

  private mutating func addArrow(
    from cause: Int, to event: Timeline.Event, row: Int, isMade: Bool = false,
    isTrigger: Bool = false, spine: Int = 0
  ) {
    arrows.append(
      Diagram.Arrow(
        cause: cause, effect: marks.count, isMade: isMade,
        hasTimer: isTrigger && marks[cause].event.time < event.time, spine: spine))
    if event.kind.isValue { paths.insert([marks[cause].row, row]) }
  }

  private func isRightAbove(_ position: Int, _ row: Int) -> Bool {
    marks[position].row == row - 1 && !marks[position].isHidden
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
    let start = marks[origin(of: cause)]
    guard !start.isHidden, start.row != row else { return false }
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
}

extension Timeline.Event.Kind {
  /// Whether this is a line of text.
  fileprivate var isLine: Bool {
    switch self {
    case .printed, .note: true
    default: false
    }
  }

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

  /// Whether this carries a value, or a part of a response.
  fileprivate var isValue: Bool {
    switch self {
    case .value, .network(.response), .network(.chunk): true
    default: false
    }
  }
}
