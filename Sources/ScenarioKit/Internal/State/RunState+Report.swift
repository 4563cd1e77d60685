import Streams
import Timeline
import VirtualTime

extension RunState {
  /// What `--until` prints of a part: the moment, and what's going on then.
  ///
  /// - Parameters:
  ///   - moment: The moment to stop at.
  ///   - part: The record of the part.
  ///   - waiting: What waited.
  ///   - style: The style of the terminal.
  /// - Returns: Lines that each end in a newline.
  /// - Throws: `ExplanationError` if the part doesn't have the event.
  static func report(
    at moment: Moment, of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments,
    in style: TerminalStyle = .plain
  ) throws(Timeline.ExplanationError) -> String {
    let title = style.paint("# \(part.title ?? "")", as: .title) + "\n"
    guard let (state, position) = try state(at: moment, of: part, waiting) else {
      return title + "nothing has happened yet\n"
    }
    let event = part.events[position]
    let sentence = Timeline.Recording(parts: [part]).sentences(ofPart: 0)[position]
    let (now, unit) =
      switch moment {
      case .time(let time, let unit): (time, unit)
      case .event: (event.time, TimeUnit.milliseconds)
      }
    let blocks = [
      ("waiting on the clock", state.work.map { $0.row(at: now, timesIn: unit) }),
      (
        "values kept by operators",
        state.kept.map { [Cell($0.keeper), Cell($0.values.joined(separator: ", "), .value)] }
      ),
      ("requests in flight", state.requests.map { $0.row(timesIn: unit) }),
      ("values asked for", state.demands.map(\.row)),
    ]
    let text = blocks.map { title, rows in
      "\n\(style.paint(title, as: .title))\(rows.isEmpty ? ": nothing" : "")\n" + table(rows, style)
    }
    let when = event.time == now ? "" : " at \(unit.text(of: event.time))"
    return "\(title)\(style.paint(unit.text(of: now), as: .time)), "
      + "after event \(event.number)\(when): \(sentence)\n" + text.joined()
  }

  /// Rows with their columns aligned.
  private static func table(_ rows: [[Cell]], _ style: TerminalStyle) -> String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].text.count }.max() ?? 0
    }
    return rows.map { row in
      // Nothing follows the last one that isn't empty.
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      let cells = row[...last].enumerated().map { column, cell in
        style.paint(cell.text, as: cell.role)
          + (column == last ? "" : "".padded(to: widths[column] - cell.text.count))
      }
      return "  \(cells.joined(separator: "  "))\n"
    }
    .joined()
  }
}

/// A text in a table, and what it is.
private struct Cell {
  let text: String
  let role: TerminalStyle.Role

  init(_ text: String, _ role: TerminalStyle.Role = .plain) {
    (self.text, self.role) = (text, role)
  }
}

extension RunState.Work {
  fileprivate func row(at now: VirtualTime, timesIn unit: TimeUnit) -> [Cell] {
    let wait =
      work.due == .max
      ? "never due"
      : work.due > now ? "in \(unit.text(ofInterval: now.distance(to: work.due)))" : "now"
    let interval = work.interval.map { ", every \(unit.text(ofInterval: $0))" } ?? ""
    return [
      Cell(unit.text(of: work.due), .time), Cell("\(wait)\(interval)"), Cell(name),
      Cell(place, .time),
    ]
  }

  /// What it will do.
  private var name: String {
    guard let label = work.label else { return "a timer of the pipeline" }
    return label.hasPrefix("at ") ? "a step of the script" : "\(label) goes on"
  }

  private var place: String {
    guard work.label == nil, let origin else { return "" }
    let line = origin.line.map { ", \($0)" } ?? ""
    return "set at event \(origin.number)\(line)"
  }
}

extension RunState.Request {
  fileprivate func row(timesIn unit: TimeUnit) -> [Cell] {
    let bytes = bytes > 0 ? ", \(bytes) bytes" : ""
    return [
      Cell(lane), Cell(name, .start), Cell("\(progress)\(bytes), since \(unit.text(of: since))"),
    ]
  }
}

extension RunState.Demand {
  fileprivate var row: [Cell] { [Cell(lane), Cell(rest), Cell("\(delivered) delivered")] }
}
