import VirtualTime

/// The events of a part in the order of time, each in a row. All diagrams have these rows.
///
/// Lives of a lane, the events of one subscription each, share a row if they follow each other.
/// Lives at the same time get a row each, with a number after the lane's name. Events without a
/// subscription's number count as one life.
package struct LaneRows {
  /// A row: a lane, or one of several lives that a lane has at the same time.
  package struct Row: Hashable {
    package let lane: Timeline.Lane
    /// The row's number among those of its lane, from 1; `nil` if the lane has only this one.
    package let number: Int?

    /// The name to show.
    package var name: String { number.map { "\(lane.name) \($0)" } ?? lane.name }
  }

  /// The line of a life. Start and end are positions of events; a line without an end is open.
  package struct Line: Equatable {
    package let row: Int
    package let start: Int
    package let end: Int?
  }

  /// A wait. Its start and its end are positions of events at these moments.
  package struct Wait: Equatable {
    package let row: Int
    /// The position of the start of its life.
    package let life: Int
    package let start: Int
    package let end: Int
    /// Whether the time has passed. If not, the timer was stopped.
    package let isOver: Bool
    /// The position of the event that started the timer, if it's here.
    package let cause: Int?
  }

  /// The events in the order of time. Those of one instant keep their order.
  package let events: [Timeline.Event]

  /// For each event, the position of its cause. A cause that isn't here, or isn't before its
  /// effect, doesn't count.
  package let causes: [Int?]

  /// For each event, the positions of the values that it's made of and that are here, before it.
  package let origins: [[Int]]

  /// Whether each event isn't drawn.
  package let isHidden: [Bool]

  /// The rows from top to bottom, in the order in which data flows.
  package private(set) var rows: [Row] = []

  /// The row of each event, or `nil` if nothing of its lane is drawn.
  package let rowOfEvent: [Int?]

  /// The lines of all lives, in order of their starts.
  package private(set) var lines: [Line] = []

  /// The waits that ended, in order of their starts.
  package private(set) var waits: [Wait] = []

  private struct Key: Hashable {
    let lane: Timeline.Lane
    let subscription: Int?

    init(_ event: Timeline.Event) { (lane, subscription) = (event.lane, event.subscription) }

    init(_ wait: Timeline.Wait) { (lane, subscription) = (wait.lane, wait.subscription) }
  }

  /// Finds the rows of a part.
  ///
  /// - Parameters:
  ///   - part: The part. Its events may be any.
  ///   - isHidden: Returns whether an event isn't drawn, given the events closest to it: its cause,
  ///     and those before and after it at its instant.
  package init(
    _ part: Timeline.Recording.Part,
    hiding isHidden: (Timeline.Event, _ neighbours: [Timeline.Event]) -> Bool = { _, _ in false }
  ) {
    let events = part.events.stablySorted { $0.time < $1.time }
    var positions: [Int: Int] = [:]
    var causes: [Int?] = []
    var origins: [[Int]] = []
    for (index, event) in events.enumerated() {
      causes.append(event.cause.flatMap { positions[$0] })
      origins.append(event.from.compactMap { positions[$0] })
      if positions[event.number] == nil { positions[event.number] = index }
    }
    self.isHidden = events.indices.map { index in
      let neighbours = [index - 1, index + 1].filter {
        events.indices.contains($0) && events[$0].time == events[index].time
      }
      return isHidden(events[index], (neighbours + [causes[index] ?? index]).map { events[$0] })
    }
    (self.events, self.causes, self.origins) = (events, causes, origins)
    var lives: [Key: Life] = [:]
    var keysOfLane: [Timeline.Lane: [Key]] = [:]
    var drawnLanes: Set<Timeline.Lane> = []
    for (index, event) in events.enumerated() {
      let key = Key(event)
      if lives[key] == nil { keysOfLane[event.lane, default: []].append(key) }
      lives[key, default: Life(first: index, last: index)].note(event.kind, at: index)
      if !self.isHidden[index], !event.kind.isDemand { drawnLanes.insert(event.lane) }
    }
    var rowOfKey: [Key: Int] = [:]
    let lanes = LaneOrder(events, causes: causes, origins: origins).lanes
    for lane in lanes where drawnLanes.contains(lane) {
      // The last event in each row of this lane.
      var ends: [Int] = []
      let base = rows.count
      for key in keysOfLane[lane] ?? [] {
        guard let life = lives[key] else { continue }
        let row = ends.firstIndex { $0 < life.first } ?? ends.count
        if row == ends.count { ends.append(0) }
        ends[row] = life.open > 0 ? .max : life.last
        rowOfKey[key] = base + row
        lines += life.spans.map { Line(row: base + row, start: $0.start, end: $0.end) }
      }
      rows += ends.indices.map { Row(lane: lane, number: ends.count > 1 ? $0 + 1 : nil) }
    }
    let first = events.map { rowOfKey[Key($0)] }
    // Rows that have nothing to do with each other don't stand between each other.
    let order = Self.strands(rows, first, causes: causes, origins: origins)
    let places = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    rows = order.map { [rows] in rows[$0] }
    rowOfEvent = first.map { $0.flatMap { places[$0] } }
    lines = lines.map { Line(row: places[$0.row] ?? $0.row, start: $0.start, end: $0.end) }
    lines.sort { ($0.start, $0.row) < ($1.start, $1.row) }
    waits = part.waits.compactMap { wait in
      guard wait.ending != .pending, let row = rowOfKey[Key(wait)].flatMap({ places[$0] })
      else { return nil }
      let cause = wait.cause.flatMap { positions[$0] }
      return self.wait(wait, inRow: row, cause: cause, life: lives[Key(wait)])
    }
  }

  /// A wait in its row; `nil` if nothing happened when it started or ended. A timer that isn't
  /// stopped with its stream counts as stopped.
  private func wait(
    _ wait: Timeline.Wait, inRow row: Int, cause: Int?, life: Life?
  ) -> Wait? {
    let span = life?.spans.last { events[$0.start].time <= wait.start }
    guard let span, let start = position(at: wait.start) else { return nil }
    if let end = span.end, events[end].time < wait.end {
      guard wait.start < events[end].time else { return nil }
      return Wait(
        row: row, life: span.start, start: start, end: end, isOver: false, cause: cause)
    }
    return position(at: wait.end).map {
      Wait(
        row: row, life: span.start, start: start, end: $0, isOver: wait.ending == .over,
        cause: cause)
    }
  }

  /// The position of the first event of an instant; `nil` if there's none.
  private func position(at time: VirtualTime) -> Int? {
    let position = events.firstPosition { $0.time >= time }
    return position < events.count && events[position].time == time ? position : nil
  }

  /// The rows in an order in which those that causes and values connect stand together, each group
  /// in its own order. Printed output stands at the bottom.
  private static func strands(
    _ rows: [Row], _ rowOfEvent: [Int?], causes: [Int?], origins: [[Int]]
  ) -> [Int] {
    var groups = Array(rows.indices)
    for (index, row) in rowOfEvent.enumerated() {
      for source in origins[index] + [causes[index]].compactMap(\.self) {
        guard let row, let other = rowOfEvent[source], rows[row].lane.role != .console,
          rows[other].lane.role != .console, groups[row] != groups[other]
        else { continue }
        let (first, second) = (
          min(groups[row], groups[other]), max(groups[row], groups[other])
        )
        groups = groups.map { $0 == second ? first : $0 }
      }
    }
    func rank(_ row: Int) -> Int { rows[row].lane.role == .console ? rows.count : groups[row] }
    return rows.indices.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  /// The name of an event's row. A lane that has demand only isn't drawn, but has a name.
  package func name(ofEvent index: Int) -> String {
    rowOfEvent[index].map { rows[$0].name } ?? events[index].lane.name
  }
}

private struct Life {
  let first: Int
  var last: Int
  var open = 0
  var spans: [(start: Int, end: Int?)] = []

  /// Notes the next event of this life.
  mutating func note(_ kind: Timeline.Event.Kind, at index: Int) {
    last = index
    if kind.isStart {
      if open == 0 { spans.append((index, nil)) }
      open += 1
    } else if kind.isEnd, open > 0 {
      open -= 1
      if open == 0 { spans[spans.count - 1].end = index }
    }
  }
}

extension Timeline.Event.Kind {
  /// Whether a life starts with this event.
  package var isStart: Bool {
    switch self {
    case .subscription, .network(.started): true
    default: false
    }
  }

  /// Whether a life ends with this event.
  fileprivate var isEnd: Bool {
    switch self {
    case .finished, .failure, .cancelled, .network(.finished), .network(.failed),
      .network(.cancelled):
      true
    default: false
    }
  }

  /// Whether this is demand.
  package var isDemand: Bool { if case .request = self { true } else { false } }
}

extension Array {
  /// The position of the first element for which a predicate is true, if it is for all after that
  /// one; the count if there's none.
  package func firstPosition(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the elements sorted, with equal elements in their original order. The standard
  /// library's sort is stable too, but doesn't document it.
  package func stablySorted(by isBefore: (Element, Element) -> Bool) -> [Element] {
    enumerated()
      .sorted { first, second in
        if isBefore(first.element, second.element) { return true }
        if isBefore(second.element, first.element) { return false }
        return first.offset < second.offset
      }
      .map(\.element)
  }
}
