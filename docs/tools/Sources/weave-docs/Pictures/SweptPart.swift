import TimelinePictures

/// What other times lead to in a part of a scenario, from the snapshot of `--sweep`.
struct SweptPart {
  let title: String
  /// The part's table.
  private let lines: [String]

  /// The parts of a snapshot.
  static func all(in lines: [String]) -> [SweptPart] {
    lines.indices.filter { lines[$0].hasPrefix("# ") }.map { index in
      let table = lines[(index + 1)...].prefix { !$0.hasPrefix("# ") }
      return SweptPart(title: String(lines[index].dropFirst(2)), lines: Array(table))
    }
  }

  /// The picture, or why there's none.
  var strips: Result<TimeStrips, TimeStrips.Refusal> {
    Result { () throws(TimeStrips.Refusal) in try TimeStrips(table: lines) }
  }

  /// Whether all times lead to the same outcome.
  var hasOneOutcome: Bool { if case .failure(.oneOutcome) = strips { true } else { false } }

  /// Whether it decides any times.
  var decidesTimes: Bool { lines.first?.contains(#/ moved( up to \w+)?, /#) ?? false }
}
