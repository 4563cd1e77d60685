import Timeline

/// Where the records of two runs differ that should be the same.
package struct RunDifference: Equatable, Sendable {
  /// The number of the first event that differs, counted from 1.
  let position: Int

  /// That event in both runs, and what led to it.
  let details: [String]

  /// - Returns: `nil` if they're the same.
  package init?(_ first: Timeline.Recording, _ second: Timeline.Recording) {
    let (one, other) = (first.events, second.events)
    let index = zip(one, other).prefix { Self.isSame($0, $1) }.count
    guard index < max(one.count, other.count) else { return nil }
    func line(_ events: [Timeline.Event]) -> String {
      guard index < events.count else { return "nothing more happens" }
      let event = events[index]
      return "\(event.time) \(event.lane.name): \(event.kind)"
    }
    position = index + 1
    // What led to it is what to look at.
    let (number, recording) =
      index < one.count ? (one[index].number, first) : (other[index].number, second)
    let reason = (try? recording.explanation(of: number)) ?? ""
    details =
      ["first   \(line(one))", "second  \(line(other))"]
      + reason.split(separator: "\n").map(String.init)
  }

  /// The difference, with what to do about it in the first line.
  ///
  /// - Parameter advice: What to do, such as `make the body independent of the date`.
  package func message(_ advice: String) -> String {
    (["event \(position) differs in a second run: \(advice)"] + details.map { "  \($0)" })
      .joined(separator: "\n")
  }

  private static func isSame(_ first: Timeline.Event, _ second: Timeline.Event) -> Bool {
    first.time == second.time && first.lane == second.lane && first.kind == second.kind
      && first.cause == second.cause
  }
}
