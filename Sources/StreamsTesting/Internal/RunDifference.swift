import Timeline

/// Where the records of two runs differ that should be the same.
struct RunDifference: CustomStringConvertible {
  let description: String

  /// - Returns: `nil` if they're the same.
  init?(_ first: Timeline.Recording, _ second: Timeline.Recording) {
    let (one, other) = (first.events, second.events)
    let index = zip(one, other).prefix { Self.isSame($0, $1) }.count
    guard index < max(one.count, other.count) else { return nil }
    func line(_ events: [Timeline.Event]) -> String {
      guard index < events.count else { return "nothing more happens" }
      let event = events[index]
      return "\(event.time) \(event.lane.name): \(event.kind)"
    }
    var lines = [
      "this test depends on something outside the world: event \(index + 1) differs in a second run",
      "  first   \(line(one))", "  second  \(line(other))",
    ]
    // What led to it is what to look at.
    let (number, recording) =
      index < one.count ? (one[index].number, first) : (other[index].number, second)
    if let reason = try? recording.explanation(of: number) {
      lines += reason.split(separator: "\n").map { "  \($0)" }
    }
    description = lines.joined(separator: "\n")
  }

  private static func isSame(_ first: Timeline.Event, _ second: Timeline.Event) -> Bool {
    first.time == second.time && first.lane == second.lane && first.kind == second.kind
      && first.cause == second.cause
  }
}
