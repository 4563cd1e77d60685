import VirtualTime

/// A part of a recording, laid out in rows and columns.
///
/// All diagrams are renderings of this. It knows nothing about characters or pixels. Rows stand in
/// the order in which data flows. Columns stand in the order of time: an instant has one or more of
/// them, and each of them holds one push through the pipeline.
struct Diagram {
  /// A row: a lane, or one of several lives that a lane has at the same time.
  struct Row: Hashable {
    let lane: Timeline.Lane
    /// The row's number among those of its lane, from 1; `nil` if the lane has only this one.
    let number: Int?

    /// The name to show.
    var name: String { number.map { "\(lane.name) \($0)" } ?? lane.name }
  }

  /// An event in its place.
  struct Mark {
    let event: Timeline.Event
    let row: Int
    let column: Int
    /// The mark that it's a part of, if any: demand stands at a mark, what comes of a response at
    /// once stands in its box, and a printed line below those before it.
    let anchor: Int?
    /// Whether nothing is drawn for this event.
    let isHidden: Bool
  }

  /// The line of a life. Start and end are positions in ``marks``; a line without an end is open.
  struct Line: Equatable {
    let row: Int
    let start: Int
    let end: Int?
  }

  /// An arrow to an event, from a value that it's made of or from its cause. Both are positions in
  /// ``marks``. It goes up or down in the column of its effect.
  struct Arrow: Equatable {
    let cause: Int
    let effect: Int
    /// Whether the effect is made of the value. If not, the cause only made it happen.
    let isMade: Bool
    /// Whether the cause started a timer that let the effect happen.
    let hasTimer: Bool
    /// Whether it starts to the right of its cause. Otherwise it starts above or below.
    let leavesSideways: Bool
    /// The spine of the effect that it leads to, counted from the right. Zero for all but the older
    /// ones of several values.
    let spine: Int
  }

  /// The rows from top to bottom.
  let rows: [Row]

  /// All events in the order of time.
  let marks: [Mark]

  /// The tints of the values, by position in ``marks``.
  let tints: [[ValueTint]]

  /// The lines of lives.
  let lines: [Line]

  /// The arrows, in the order of their effects.
  let arrows: [Arrow]

  /// The instants in ascending order.
  let instants: [VirtualTime]

  /// The instant of each column, as a position in ``instants``.
  let columns: [Int]

  /// Lays out a part.
  ///
  /// - Parameters:
  ///   - part: The part. Its events may be any; causes that are missing don't count.
  ///   - isHidden: Returns whether an event isn't drawn, given the events closest to it: its cause,
  ///     and those before and after it at its instant.
  init(
    _ part: Timeline.Recording.Part,
    hiding isHidden: (Timeline.Event, _ neighbours: [Timeline.Event]) -> Bool = { _, _ in false }
  ) {
    let events = part.eventsByTime
    let causes = events.positionsOfCauses
    let origins = events.positionsOfOrigins
    let isHidden = events.indices.map { index in
      let neighbours = [index - 1, index + 1].filter {
        events.indices.contains($0) && events[$0].time == events[index].time
      }
      return isHidden(events[index], (neighbours + [causes[index] ?? index]).map { events[$0] })
    }
    let lives = LifeRows(
      events, lanes: LaneOrder(events, causes: causes, origins: origins).lanes,
      isDrawn: zip(events, isHidden).map { event, isHidden in !isHidden && !event.kind.isDemand })
    tints = ValueTints(events, origins: origins, isHidden: isHidden).tints
    var plan = ColumnPlan(rows: lives.rows, tints: tints)
    for (index, event) in events.enumerated() {
      plan.place(
        event, row: isHidden[index] ? nil : lives.rowOfEvent[index], cause: causes[index],
        origins: origins[index])
    }
    rows = lives.rows
    lines = lives.lines
    marks = plan.marks
    arrows = plan.arrows
    instants = plan.instants
    columns = plan.columns
  }

  /// The time of each column.
  func time(ofColumn column: Int) -> VirtualTime { instants[columns[column]] }

  /// The columns that a line runs through.
  func columns(of line: Line) -> Range<Int> {
    let start = marks[line.start].column
    let end = line.end.map { marks[$0].column + 1 } ?? columns.count
    return start..<max(start, end)
  }
}

extension Timeline.Recording.Part {
  /// The events in the order of time. Those of one instant keep their order.
  var eventsByTime: [Timeline.Event] {
    let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }
    return isSorted ? events : events.stablySorted { $0.time < $1.time }
  }
}

extension [Timeline.Event] {
  /// For each event, the position of its cause. A cause that isn't here, or isn't before its
  /// effect, doesn't count.
  var positionsOfCauses: [Int?] {
    var positions: [Int: Int] = [:]
    return enumerated().map { index, event in
      defer { if positions[event.number] == nil { positions[event.number] = index } }
      return event.cause.flatMap { positions[$0] }
    }
  }

  /// For each event, the positions of the values that it's made of and that are here, before it.
  var positionsOfOrigins: [[Int]] {
    var positions: [Int: Int] = [:]
    return enumerated().map { index, event in
      defer { if positions[event.number] == nil { positions[event.number] = index } }
      return event.from.compactMap { positions[$0] }
    }
  }
}

extension Array {
  /// Returns the elements sorted, with equal elements in their original order. The standard
  /// library's sort is stable too, but doesn't document it.
  func stablySorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
    enumerated()
      .sorted { first, second in
        if isBefore(first.element, second.element) { return true }
        if isBefore(second.element, first.element) { return false }
        return first.offset < second.offset
      }
      .map(\.element)
  }
}
