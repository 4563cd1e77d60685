import Timeline
import VirtualTime

/// A part of a recording, laid out in rows and columns.
///
/// It knows nothing about pixels. Rows stand in the order in which data flows. Each instant has a
/// column, where two marks of a row stand in levels, from top to bottom. If there are more marks,
/// it has several columns.
struct Diagram {
  /// An event in its place.
  struct Mark {
    let event: Timeline.Event
    let row: Int
    /// The position in ``Diagram/instants``.
    let column: Int
    /// Its place among the marks of its row at the instant, from the top. Marks of one push through
    /// several rows have the same level.
    var level: Int
    /// The mark that it's a part of, if any: demand stands at a mark, what comes of a response at
    /// once stands in its box, and a printed line below those before it.
    let anchor: Int?
    /// Whether nothing is drawn for this event.
    let isHidden: Bool
    /// Whether it's a line of text in a row that has only those. They have no levels, because each
    /// stands below the lines that go on at its instant.
    let isLine: Bool

    /// Whether it takes a level of its row. Demand stands at the mark before it, or above its row.
    var stands: Bool { !isHidden && !isLine && anchor == nil && !event.kind.isDemand }
  }

  /// The place where an operator dropped a value: in its own row, when the value arrived.
  struct Discard: Equatable {
    /// The position of the value in ``marks``.
    let value: Int
    let row: Int
    /// Its place among the marks of its row at the instant.
    var level: Int
  }

  /// An arrow to an event, from a value that it's made of or from its cause. Both are positions in
  /// ``marks``.
  struct Arrow: Equatable {
    let cause: Int
    let effect: Int
    /// Whether the effect is made of the value. If not, the cause only made it happen.
    let isMade: Bool
    /// Whether the cause started a timer that let the effect happen.
    let hasTimer: Bool
    /// The spine of the effect that it leads to, counted from the right. Zero for all but the older
    /// ones of several values.
    let spine: Int

    func with(timer hasTimer: Bool) -> Arrow {
      Arrow(cause: cause, effect: effect, isMade: isMade, hasTimer: hasTimer, spine: spine)
    }
  }

  /// The rows and the lines of lives, whose events are those of ``marks``.
  let lanes: LaneRows

  /// All events in the order of time.
  let marks: [Mark]

  /// The tints of the values, by position in ``marks``.
  let tints: [[ValueTint]]

  /// The arrows, in the order of their effects.
  let arrows: [Arrow]

  /// The times that operators let pass.
  let bars: [WaitBar]

  /// The places where values were dropped.
  let discards: [Discard]

  /// The instants in ascending order, one for each column. An instant may have several columns.
  let instants: [VirtualTime]

  /// The names of the threads that ran, in order of first use, if there are several.
  let threads: [String]

  /// Lays out a part, whose causes that are missing don't count.
  init(_ lanes: LaneRows) {
    let plan = DiagramPlan(lanes)
    self.lanes = lanes
    tints = plan.tints
    marks = plan.marks
    let bars = WaitBar.bars(lanes, plan.marks)
    self.bars = bars
    // A bar that ends with an effect says already that a timer made it happen.
    arrows = plan.arrows.compactMap { arrow in
      let (cause, effect) = (plan.marks[arrow.cause], plan.marks[arrow.effect])
      let isSaid = bars.contains {
        $0.isOver && $0.end == effect.column && [cause.row, effect.row].contains($0.row)
          && ($0.start...$0.end).contains(cause.column)
      }
      guard arrow.hasTimer, isSaid else { return arrow }
      return arrow.isMade ? arrow.with(timer: false) : nil
    }
    discards = plan.discards
    instants = plan.instants
    let names = plan.marks.compactMap(\.event.thread).withoutRepeats()
    threads = names.count > 1 ? names : []
  }

  /// The name of the thread that takes over from another one with this mark, if one does.
  func threadThatTakesOver(at index: Int) -> String? {
    guard !threads.isEmpty, marks[index].stands, let name = marks[index].event.thread,
      let cause = lanes.causes[index].flatMap({ marks[$0].event.thread }), cause != name
    else { return nil }
    return name
  }

  /// Whether a column belongs to the same instant as the next one.
  func goesOn(after column: Int) -> Bool {
    column + 1 < instants.count && instants[column] == instants[column + 1]
  }

  /// The columns that a line runs through.
  func columns(of line: LaneRows.Line) -> Range<Int> {
    let start = marks[line.start].column
    let end = line.end.map { marks[$0].column + 1 } ?? instants.count
    return start..<max(start, end)
  }

  /// A sentence for each row, with its events. Long sentences have the first and the last event
  /// only, and say how many there are between them.
  ///
  /// - Parameter unit: The unit of the times.
  func descriptions(timesIn unit: TimeUnit) -> [String] {
    let isShort = marks.count <= 30
    let drawn = marks.filter { !$0.isHidden && !$0.event.kind.isDemand }
    let marksOfRow = Dictionary(grouping: drawn, by: \.row)
    return lanes.rows.enumerated().map { index, row in
      let events = marksOfRow[index] ?? []
      let name = row.name.onOneLine
      func phrase(_ position: Int) -> String {
        "\(events[position].event.kind.phrase) at \(unit.number(of: events[position].event.time))"
      }
      if events.count > 3, !isShort {
        return
          "\(name): \(phrase(0)), \(events.count - 2) more events, \(phrase(events.count - 1))."
      }
      let phrases = events.indices.map { position in
        // The time stands after the last event of an instant.
        let next = events.dropFirst(position + 1).first?.event.time
        let isLast = next != events[position].event.time
        return isLast ? phrase(position) : events[position].event.kind.phrase
      }
      return "\(name): \(phrases.joined(separator: ", "))."
    }
  }
}

extension Timeline.Event.Kind {
  /// The event in a word or two, without its lane.
  fileprivate var phrase: String {
    switch self {
    case .value(let text): text.inQuotationMarks
    case .printed(let text): "prints \(text.inQuotationMarks)"
    case .note(let text): "notes \(text.inQuotationMarks)"
    case .failure(let text), .network(.failed(let text)): "fails with \(text.onOneLine)"
    case .network(.started): "made"
    case .request, .subscription, .finished, .cancelled, .network: description
    }
  }
}
