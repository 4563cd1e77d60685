import Timeline

/// A recording as a picture: its laid-out parts below each other, and a key.
struct Picture {
  struct Part {
    /// The heading to show above the part, if any.
    let heading: String?
    /// One, or several below each other if the part is too wide and has pieces that nothing
    /// connects.
    let layouts: [PictureLayout]
  }

  let parts: [Part]
  private let title: String?
  private let unit: TimeUnit
  /// The width that the picture should have.
  private let width: Int

  /// Lays out a recording.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - part: The only part to show, or `nil` for all.
  ///   - title: The title of the picture; by default that of the part, if only one is shown.
  ///   - width: The width that the picture should have.
  init(_ recording: Timeline.Recording, part: Int?, title: String? = nil, width: Int) {
    let shown = recording.parts.enumerated()
      .filter { part == nil || part == $0.offset }
      .map(\.element)
    let unit = TimeUnit(fitting: recording.events.map(\.time))
    let lanes = shown.map { $0.laneRows(limitsDemand: $0.limitsDemand) }
    let threads = shown.flatMap { $0.events.compactMap(\.thread) }.withoutRepeats()
    let names =
      lanes.flatMap { $0.rows.map { $0.name.quotedIfNeeded } } + (threads.count > 1 ? threads : [])
    let metrics = PictureMetrics(labels: names, width: width)
    parts = zip(shown, lanes).map { shown, lanes in
      var layouts = [PictureLayout(Diagram(lanes), metrics: metrics, unit: unit)]
      if layouts[0].blocks.count > 1 {
        layouts = lanes.pieces.map { events in
          let piece = Timeline.Recording.Part(
            title: shown.title, events: events, waits: shown.waits)
          let lanes = piece.laneRows(limitsDemand: shown.limitsDemand)
          return PictureLayout(Diagram(lanes), metrics: metrics, unit: unit)
        }
      }
      return Part(heading: part == nil ? shown.title?.onOneLine : nil, layouts: layouts)
    }
    self.title = (title ?? (part == nil ? nil : shown.first?.title))?.onOneLine
    self.unit = unit
    self.width = width
  }

  /// The width of a picture whose title is in one line: a generous estimate in pixels.
  private static func width(ofTitle title: String) -> Int {
    (title.cells * 29 + 3) / 4 + 24
  }

  /// The number of characters of a title that fit into a picture.
  private static func characters(ofTitleIn width: Pixels) -> Int {
    max(8, (width.halves - 48) * 2 / 29)
  }

  private var onlyHeading: String? { parts.count == 1 ? parts[0].heading : nil }

  /// The text for screen readers: a sentence for each row.
  private var description: String {
    let instants = parts.flatMap(\.layouts).flatMap(\.diagram.instants)
    guard let first = instants.min(), let last = instants.max() else { return "No events." }
    let sentences = parts.flatMap { part in
      (part.heading.map { ["\($0)."] } ?? [])
        + part.layouts.flatMap { $0.diagram.descriptions(timesIn: unit) }
    }
    let span =
      first == last ? unit.text(of: first) : "\(unit.number(of: first)) to \(unit.text(of: last))"
    return (["Times: \(span)."] + sentences).joined(separator: " ")
  }

  /// Writes the picture as SVG, with a newline at the end. A file has its title above the lanes,
  /// because it may leave the page that shows it.
  ///
  /// - Parameters:
  ///   - embedding: The prefixes in a page, or `nil` for a file.
  ///   - hasGroups: Whether each event has a group and a title to hover over. If not, signs of the
  ///     same kind are one element.
  func svg(
    embedding: Timeline.PictureEmbedding? = nil, hasGroups: Bool = true
  ) -> String {
    let pen = SVGPen(prefix: embedding?.classPrefix ?? "")
    let idPrefix = embedding?.idPrefix ?? ""
    let margin = PictureMetrics.margin
    let needed = (parts.flatMap(\.layouts).map(\.width).max() ?? 0) + 2 * margin
    // A title in one line, and a key in few, as far as a picture that shrinks still fits a phone.
    let titleWidth = embedding == nil ? title.map(Self.width(ofTitle:)) ?? 0 : 0
    let least = min(self.width, max(320, min(titleWidth, 390)))
    let width = max(needed, Pixels(least))
    var body = ""
    var y: Pixels = 0
    if embedding == nil, let title {
      for line in title.wrapped(at: Self.characters(ofTitleIn: width)) {
        body += pen.text("t f", line, x: margin, y: y + 24).markup + "\n"
        y = y + 16
      }
      y = y + 8
    }
    for (index, part) in parts.enumerated() {
      if let heading = part.heading {
        y = y + (index == 0 ? 10 : 18)
        body += pen.text("t f", heading, x: margin, y: y + 14).markup + "\n"
        y = y + 22
      }
      var number = 0
      for layout in part.layouts {
        var tops: [Pixels] = []
        for block in layout.blocks {
          if number + tops.count > 0 { y = y + 10 }
          tops.append(y)
          y = y + layout.headHeight + block.height
        }
        for block in tops.indices {
          body +=
            SVGBlock(
              layout: layout, index: block, tops: tops, firstNumber: number,
              idPrefix: idPrefix + (parts.count > 1 ? "p\(index + 1)" : ""), pen: pen,
              isEmbedded: embedding != nil, hasGroups: hasGroups
            ).text
        }
        number += tops.count
      }
    }
    let (keyText, keyHeight) = PictureKey(of: body, pen: pen).elements(
      pen, id: "\(idPrefix)key", x: margin, y: y + 6, width: width - 2 * margin)
    body += keyText
    let height = y + 6 + keyHeight + (keyText.isEmpty ? 0 : 6)
    let card = pen.rect("g", x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 8).markup
    let style =
      embedding == nil
      ? "<style>\(PictureColours.styleSheet(for: card + body))</style>\n" : ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="\(idPrefix)t \(idPrefix)d">
      <title id="\(idPrefix)t">\((title ?? onlyHeading ?? "Marble diagram").xml)</title>
      <desc id="\(idPrefix)d">\(description.xml)</desc>
      \(style)\(card)
      \(body)</svg>

      """
  }
}

extension LaneRows {
  /// The events, divided where a life begins after all before it have ended, if no cause or value
  /// connects the two sides.
  fileprivate var pieces: [[Timeline.Event]] {
    // For each event, the first one that it or a later one comes from.
    var sources = Array(events.indices)
    for index in events.indices.reversed() {
      let own = (origins[index] + [causes[index] ?? index]).min() ?? index
      sources[index] = min(own, index + 1 < events.count ? sources[index + 1] : own)
    }
    let ends = Dictionary(lines.map { ($0.start, $0.end ?? .max) }, uniquingKeysWith: max)
    var pieces: [Range<Int>] = []
    var (start, end): (Int, Int?) = (0, nil)
    var instant = 0
    for index in events.indices {
      if events[index].time != events[instant].time { instant = index }
      guard let newEnd = ends[index] else { continue }
      if let last = end, last < instant, sources[instant] >= instant {
        pieces.append(start..<instant)
        (start, end) = (instant, nil)
      }
      end = max(end ?? newEnd, newEnd)
    }
    return (pieces + [start..<events.count]).map { Array(events[$0]) }
  }
}

extension Timeline.Recording.Part {
  fileprivate func laneRows(limitsDemand: Bool) -> LaneRows {
    LaneRows(self) { $0.repeats($1) || $0.kind.isDemand && !limitsDemand }
  }

  /// Whether a subscriber requests a number of values. Demand is shown only then: without a limit,
  /// it's the same everywhere, and what an operator adds to it changes nothing.
  fileprivate var limitsDemand: Bool {
    struct Life: Hashable {
      let lane: Timeline.Lane
      let subscription: Int?
    }
    var unlimited: Set<Life> = []
    for event in events {
      guard case .request(let demand) = event.kind else { continue }
      let life = Life(lane: event.lane, subscription: event.subscription)
      if demand == .unlimited {
        unlimited.insert(life)
      } else if !unlimited.contains(life) {
        return true
      }
    }
    return false
  }
}

extension Timeline.Event {
  /// Whether this printed line says again what the mark of an event close to it shows already.
  fileprivate func repeats(_ neighbours: [Timeline.Event]) -> Bool {
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
