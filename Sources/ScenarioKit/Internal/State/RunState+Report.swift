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
  /// - Returns: Lines that each end in a newline.
  /// - Throws: `ExplanationError` if the part doesn't have the event.
  static func report(
    at moment: Moment, of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments
  ) throws(Timeline.ExplanationError) -> String {
    let title = "# \(part.title ?? "")\n"
    guard let (state, position) = try state(at: moment, of: part, waiting) else {
      return title + "nothing has happened yet\n"
    }
    let event = part.events[position]
    let sentence = Timeline.Recording(parts: [part]).sentences(ofPart: 0)[position]
    let now = if case .time(let time) = moment { time } else { event.time }
    let blocks = [
      ("waiting on the clock", state.work.map { $0.row(at: now) }),
      (
        "values kept by operators",
        state.kept.map { [$0.keeper, $0.values.joined(separator: ", ")] }
      ),
      ("requests in flight", state.requests.map(\.row)),
      ("values asked for", state.demands.map(\.row)),
    ]
    let text = blocks.map { title, rows in
      "\n\(title)\(rows.isEmpty ? ": nothing" : "")\n" + table(rows)
    }
    let when = event.time == now ? "" : " at \(event.time)"
    return "\(title)\(now), after event \(event.number)\(when): \(sentence)\n" + text.joined()
  }

  /// Rows with their columns aligned.
  private static func table(_ rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).map { $0.padded(to: $1) }
      return "  \(cells.joined(separator: "  "))".withoutTrailingSpaces + "\n"
    }
    .joined()
  }
}

extension RunState.Work {
  fileprivate func row(at now: VirtualTime) -> [String] {
    let wait =
      work.due == .max ? "never due" : work.due > now ? "in \(now.distance(to: work.due))" : "now"
    let interval = work.interval.map { ", every \($0)" } ?? ""
    return ["\(work.due)", "\(wait)\(interval)", name, place]
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
  fileprivate var row: [String] {
    [lane, name, "\(progress)\(bytes > 0 ? ", \(bytes) bytes" : ""), since \(since)"]
  }
}

extension RunState.Demand {
  fileprivate var row: [String] { [lane, rest, "\(delivered) delivered"] }
}
