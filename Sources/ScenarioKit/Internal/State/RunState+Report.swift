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
  ///   - terminal: The terminal.
  /// - Returns: Lines that each end in a newline.
  /// - Throws: `ExplanationError` if the part doesn't have the event.
  static func report(
    at moment: Moment, of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments,
    on terminal: Terminal = .plain
  ) throws(Timeline.ExplanationError) -> String {
    let style = terminal.style
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
      "\n\(style.paint(title, as: .title))\(rows.isEmpty ? ": nothing" : "")\n"
        + table(rows, terminal)
    }
    let when = event.time == now ? "" : " at \(unit.text(of: event.time))"
    let time = unit.text(of: now)
    let heading = "\(time), after event \(event.number)\(when): \(sentence)"
      .folded(to: terminal.width).joined(separator: "\n")
    return title + style.paint(time, as: .time) + heading.dropFirst(time.count) + "\n"
      + text.joined()
  }

  /// Rows with their columns aligned. If one is too wide, its last cell stands below.
  private static func table(_ rows: [[Cell]], _ terminal: Terminal) -> String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].text.count }.max() ?? 0
    }
    return rows.map { row in
      // Nothing follows the last one that isn't empty.
      let last = row.lastIndex { !$0.text.isEmpty } ?? 0
      let cells = row[..<last].enumerated().map { column, cell in
        let padding = "".padded(to: widths[column] - cell.text.count + 2)
        return terminal.style.paint(cell.text, as: cell.role) + padding
      }
      let start = widths[..<last].reduce(2) { $0 + $1 + 2 }
      let isTooWide = last > 0 && start + row[last].text.count > terminal.width ?? .max
      let end = terminal.style.paint(row[last].text, as: row[last].role)
      let rest = "  \(cells.joined())"
      return isTooWide ? "\(rest.withoutTrailingSpaces)\n      \(end)\n" : "\(rest)\(end)\n"
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
