import Timeline
import VirtualTime

/// What a user of a program would notice of a run, without times: what it prints and delivers, in
/// which order, and which requests it sends.
///
/// Two runs with the same outcome are as good as each other, however their events were ordered.
package struct RunOutcome: Hashable, Sendable {
  /// The lines that were printed, in order.
  package let lines: [String]

  /// What each subscriber received, by the name of its lane or recorder.
  package let deliveries: [String: [String]]

  /// The requests that were made, sorted.
  package let requests: [String]

  /// - Parameters:
  ///   - part: The record of the run.
  ///   - others: What subscribers without a lane received, by name.
  package init(_ part: Timeline.Recording.Part, others: [String: [String]] = [:]) {
    var lines: [String] = []
    var deliveries = others
    var requests: [String] = []
    for event in part.events {
      switch (event.lane.role, event.kind) {
      case (_, .printed(let text)): lines.append(text)
      case (.subscriber, .value), (.subscriber, .finished), (.subscriber, .failure):
        deliveries[event.lane.name, default: []].append("\(event.kind)")
      case (_, .network(.started(let method, let url))): requests.append("\(method) \(url)")
      default: break
      }
    }
    self.lines = lines
    self.deliveries = deliveries
    self.requests = requests.sorted()
  }

  /// One line for each thing that the user notices.
  package var description: [String] {
    let counts = Dictionary(grouping: requests) { $0 }.sorted { $0.key < $1.key }
      .map { $1.count == 1 ? $0 : "\($1.count) times \($0)" }
    let requestLines =
      counts.count > 1
      ? ["requests:"] + counts.map { "  " + $0 } : ["requests: \(counts.first ?? "none")"]
    return lines
      + deliveries.sorted { $0.key < $1.key }.map { "\($0): \($1.joined(separator: ", "))" }
      + requestLines
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
