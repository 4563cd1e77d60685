import Streams
import Timeline
import VirtualTime

/// What's going on after an event of a run: what waits on the clock, which values operators hold,
/// which requests are open, and how many values each lane still has to deliver.
///
/// It's made of the record, so the stage and `--until` show the same.
struct RunState: Hashable, Sendable {
  /// Work that waits on the clock.
  struct Work: Hashable, Sendable {
    let work: PendingWork
    /// The event that set it; `nil` if that's none, or isn't known.
    let origin: Timeline.Event?
  }

  /// The values that operators of one kind hold, such as those in a buffer.
  struct Kept: Hashable, Sendable, Encodable {
    /// The operator as `print()` names it, such as `zip` or `receiveOn`.
    let keeper: String
    /// The values as their lanes describe them, in the order in which they arrived.
    var values: [String]
  }

  /// A request that isn't over.
  struct Request: Hashable, Sendable {
    let lane: String
    /// The method and the URL.
    let name: String
    let since: VirtualTime
    /// What has happened to it last, such as `sent` or `200 OK`.
    var progress = "sent"
    /// How much of the body has arrived.
    var bytes = 0
  }

  /// What the subscriber of a row has asked for.
  struct Demand: Hashable, Sendable {
    /// The name of the row.
    let lane: String
    var asked = Subscribers.Demand.none
    var delivered = 0

    /// How many more values the subscriber takes, in words.
    var rest: String {
      guard let count = asked.max else { return "unlimited" }
      if delivered > count { return "\(delivered - count) more than asked for" }
      return asked == .none ? "none yet" : "\(count - delivered) more"
    }
  }

  private(set) var work: [Work] = []
  /// How much more work waits.
  private(set) var workLeftOut = 0
  private(set) var kept: [Kept] = []
  /// How many more values operators hold.
  private(set) var keptLeftOut = 0
  private(set) var requests: [Request] = []
  private(set) var demands: [Demand] = []

  /// The states after each event of a part.
  ///
  /// - Parameters:
  ///   - part: The record of the part.
  ///   - waiting: What waited after each event.
  static func states(
    of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments
  ) -> [RunState] {
    let rows = Timeline.Recording(parts: [part]).rowNames(ofPart: 0)
    let events = events(of: part)
    var state = RunState()
    return zip(part.events, rows).map { event, row in
      state.note(event, inRow: row)
      state.set(waiting.afterEvents[event.number] ?? .init(), events)
      return state
    }
  }

  /// The state at a moment, and the position of the last event until then; `nil` if nothing has
  /// happened yet.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - part: The record of the part.
  ///   - waiting: What waited at the moment.
  /// - Throws: `ExplanationError` if the part doesn't have the event of the moment.
  static func state(
    at moment: Moment, of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments
  ) throws(Timeline.ExplanationError) -> (state: RunState, position: Int)? {
    guard let position = try moment.position(in: part) else { return nil }
    var state = states(of: part, waiting)[position]
    if case .time = moment { state.set(waiting.afterInstant, events(of: part)) }
    return (state, position)
  }

  /// The events of a part by their numbers.
  private static func events(of part: Timeline.Recording.Part) -> [Int: Timeline.Event] {
    Dictionary(part.events.map { ($0.number, $0) }) { first, _ in first }
  }

  private mutating func set(_ waiting: WaitingLog.Waiting, _ events: [Int: Timeline.Event]) {
    work = waiting.work.map {
      Work(work: $0.pending, origin: $0.origin.flatMap { events[$0] })
    }
    (workLeftOut, keptLeftOut) = (waiting.workLeftOut, waiting.valuesLeftOut)
    kept = waiting.values.reduce(into: []) { kept, value in
      let keeper = value.keeper.prefix(1).lowercased() + value.keeper.dropFirst()
      let parts = value.events.compactMap { events[$0]?.kind.valueText }
      let text = parts.isEmpty ? "a value" : parts.joined(separator: " with ")
      if let index = kept.firstIndex(where: { $0.keeper == keeper }) {
        kept[index].values.append(text)
      } else {
        kept.append(Kept(keeper: keeper, values: [text]))
      }
    }
  }

  private mutating func note(_ event: Timeline.Event, inRow row: String) {
    let request = requests.firstIndex { $0.lane == event.lane.name }
    let demand = demands.firstIndex { $0.lane == row }
    switch event.kind {
    case .network(.started(let method, let url)):
      requests.append(Request(lane: event.lane.name, name: "\(method) \(url)", since: event.time))
    case .network(.finished), .network(.failed), .network(.cancelled):
      if let request { requests.remove(at: request) }
    case .network(.chunk(let bytes)):
      if let request { requests[request].bytes += bytes }
    case .network(let other):
      if let request { requests[request].progress = "\(other)" }
    case .subscription:
      if let demand { demands.remove(at: demand) }
      demands.append(Demand(lane: row))
    case .request(let more):
      if let demand { demands[demand].asked += more }
    case .value:
      if let demand { demands[demand].delivered += 1 }
    case .finished, .failure, .cancelled:
      if let demand { demands.remove(at: demand) }
    case .note, .printed: break
    }
  }
}

extension Timeline.Event.Kind {
  /// The description of a value on one line, in quotation marks; `nil` for other events.
  fileprivate var valueText: String? {
    if case .value(let text) = self { "“\(text.onOneLine)”" } else { nil }
  }
}
