/// Gives each life a row: the events of one lane that belong to one subscription.
///
/// Lives of a lane that follow each other share a row. Lives at the same time get a row each, with
/// a number after the lane's name. Events without a subscription's number count as one life.
struct LifeRows {
  /// The rows from top to bottom.
  private(set) var rows: [Diagram.Row] = []

  /// The row of each event, or `nil` if nothing of its lane is drawn.
  private(set) var rowOfEvent: [Int?]

  /// The lines of all lives, in order of their starts. Start and end are positions of events.
  private(set) var lines: [Diagram.Line] = []

  private struct Key: Hashable {
    let lane: Timeline.Lane
    let subscription: Int?
  }

  fileprivate struct Life {
    let first: Int
    var last: Int
    var open = 0
    var spans: [(start: Int, end: Int?)] = []
  }

  /// Finds the rows of these events.
  ///
  /// - Parameters:
  ///   - events: The events in the order of time.
  ///   - lanes: The lanes from top to bottom.
  ///   - isDrawn: Whether an event is drawn. A lane without any such event has no row.
  init(_ events: [Timeline.Event], lanes: [Timeline.Lane], isDrawn: [Bool]) {
    rowOfEvent = events.map { _ in nil }
    var lives: [Key: Life] = [:]
    var keysOfLane: [Timeline.Lane: [Key]] = [:]
    var drawnLanes: Set<Timeline.Lane> = []
    for (index, event) in events.enumerated() {
      let key = Key(lane: event.lane, subscription: event.subscription)
      if lives[key] == nil { keysOfLane[event.lane, default: []].append(key) }
      lives[key, default: Life(first: index, last: index)].note(event.kind, at: index)
      if isDrawn[index] { drawnLanes.insert(event.lane) }
    }
    var rowOfKey: [Key: Int] = [:]
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
        lines += life.spans.map { Diagram.Line(row: base + row, start: $0.start, end: $0.end) }
      }
      rows += ends.indices.map { row in
        Diagram.Row(lane: lane, number: ends.count > 1 ? row + 1 : nil)
      }
    }
    lines.sort { ($0.start, $0.row) < ($1.start, $1.row) }
    for (index, event) in events.enumerated() {
      rowOfEvent[index] = rowOfKey[Key(lane: event.lane, subscription: event.subscription)]
    }
  }
}

extension LifeRows.Life {
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
  var isStart: Bool {
    switch self {
    case .subscription, .network(.started): true
    default: false
    }
  }

  /// Whether a life ends with this event.
  var isEnd: Bool {
    switch self {
    case .finished, .failure, .cancelled, .network(.finished), .network(.failed),
      .network(.cancelled):
      true
    default: false
    }
  }

  /// Whether this is demand.
  var isDemand: Bool { if case .request = self { true } else { false } }
}
