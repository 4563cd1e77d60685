/// The laid-out parts of a recording, with everything that they share.
struct Picture {
  struct Part {
    /// The heading to show above the part, if any.
    let heading: String?
    let layout: PictureLayout
  }

  let title: String
  let parts: [Part]
  let unit: TimeUnit
  /// The width that the picture should have.
  let width: Int

  init(_ recording: Timeline.Recording, part: Int?, width: Int) {
    let shown = recording.parts.enumerated()
      .filter { part == nil || part == $0.offset }
      .map(\.element)
    let unit = TimeUnit(fitting: recording.events.map(\.time))
    let diagrams = shown.map { Diagram($0) { $0.repeats($1) } }
    let names = diagrams.flatMap { $0.rows.map { $0.name.quotedIfNeeded } }
    let metrics = PictureMetrics(labels: names, width: width)
    parts = zip(shown, diagrams).map { shown, diagram in
      Part(
        heading: part == nil ? shown.title?.onOneLine : nil,
        layout: PictureLayout(diagram, metrics: metrics, unit: unit))
    }
    title = (shown.count == 1 ? shown[0].title?.onOneLine : nil) ?? "Marble diagram"
    self.unit = unit
    self.width = width
  }

  /// The text for screen readers: a sentence for each row.
  var description: String {
    let events = parts.flatMap { $0.layout.diagram.instants }
    guard let first = events.min(), let last = events.max() else { return "No events." }
    let sentences = parts.flatMap { part in
      (part.heading.map { ["\($0)."] } ?? [])
        + part.layout.diagram.descriptions(timesIn: unit)
    }
    let span =
      first == last ? unit.text(of: first) : "\(unit.number(of: first)) to \(unit.text(of: last))"
    return (["Times: \(span)."] + sentences).joined(separator: " ")
  }
}

extension Timeline.Event {
  /// Whether this printed line says again what the mark of an event close to it shows already.
  func repeats(_ neighbours: [Timeline.Event]) -> Bool {
    guard case .printed(let line) = kind else { return false }
    return neighbours.contains { neighbour in
      guard neighbour.lane.role != .request else { return false }
      return switch neighbour.kind {
      case .value(let text):
        line == text || line.hasSuffix(" \(text)") || line.hasSuffix("(\(text))")
      case .finished: line.hasSuffix("finished")
      case .failure(let text): line.hasSuffix(text) || line.hasSuffix("\(text))")
      // The lines that `print()` writes.
      case .subscription: line.contains("receive subscription: ")
      case .request(let demand):
        line.hasSuffix("request \(demand.max.map { "max: (\($0))" } ?? "unlimited")")
      default: false
      }
    }
  }
}
