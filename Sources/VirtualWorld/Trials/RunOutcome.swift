import Timeline
import VirtualTime

/// What a user of a program would notice of a run, without times: what it prints and delivers, in
/// which order, and which requests it sends.
///
/// Two runs with the same outcome are as good as each other, however their events were ordered.
package struct RunOutcome: Hashable, Sendable {
  /// One line for each thing that the user notices.
  package let lines: [String]

  /// - Parameters:
  ///   - part: The record of the run.
  ///   - others: What subscribers without a lane received, by name.
  ///   - isByScript: Whether the script itself printed a line. Such lines are left out: they come
  ///     wherever the script is moved to, and say nothing about what follows from it.
  package init(
    _ part: Timeline.Recording.Part, others: [String: [String]] = [:],
    isByScript: (Timeline.Event) -> Bool = { _ in false }
  ) {
    var printed: [String] = []
    var deliveries = others
    var requests: [String: Int] = [:]
    for event in part.events {
      switch (event.lane.role, event.kind) {
      case (_, .printed) where isByScript(event): break
      case (_, .printed(let text)): printed.append(text)
      case (.subscriber, .value), (.subscriber, .finished), (.subscriber, .failure):
        deliveries[event.lane.name, default: []].append("\(event.kind)")
      case (_, .network(.started(let method, let url))):
        requests["\(method) \(url)", default: 0] += 1
      default: break
      }
    }
    let counts = requests.sorted { $0.key < $1.key }
      .map { $0.value == 1 ? $0.key : "\($0.value) times \($0.key)" }
    lines =
      printed
      + deliveries.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.joined(separator: ", "))" }
      + (counts.count > 1
        ? ["requests:"] + counts.map { "  " + $0 } : ["requests: \(counts.first ?? "none")"])
  }
}

/// The histories of all streams of a run, each with its times.
///
/// Two runs with the same histories differ at most in the order of events that have nothing to do
/// with each other.
package struct RunHistories: Hashable, Sendable {
  private struct Moment: Hashable {
    let time: VirtualTime
    let kind: Timeline.Event.Kind
  }

  private let lanes: [Timeline.Lane: [Moment]]

  /// - Parameter part: The record of the run.
  package init(_ part: Timeline.Recording.Part) {
    lanes = Dictionary(grouping: part.events, by: \.lane)
      .mapValues { $0.map { Moment(time: $0.time, kind: $0.kind) } }
  }

  /// The lanes with another history in another run.
  package func lanes(differingFrom other: RunHistories) -> Set<Timeline.Lane> {
    Set(lanes.keys).union(other.lanes.keys).filter { lanes[$0] != other.lanes[$0] }
  }
}
