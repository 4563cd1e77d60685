import Streams
import Timeline
import VirtualTime

/// What's going on after an event of a run: what waits on the clock, which requests are open, and
/// how many values each lane still has to deliver.
///
/// It's made of the record, so the player and `--until` show the same.
struct RunState: Hashable, Sendable {
  /// Work that waits on the clock.
  struct Work: Hashable, Sendable {
    let work: PendingWork
    /// The event after which it was first there; `nil` if that isn't known.
    let origin: Timeline.Event?
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

    /// How many more values the subscriber takes.
    var outstanding: Subscribers.Demand { asked - delivered }
  }

  private(set) var work: [Work] = []
  private(set) var requests: [Request] = []
  private(set) var demands: [Demand] = []

  /// The states after each event of a part.
  ///
  /// - Parameters:
  ///   - part: The record of the part.
  ///   - pendingWork: The work that waited.
  static func states(
    of part: Timeline.Recording.Part, _ pendingWork: PendingWorkLog.Lists
  ) -> [RunState] {
    let rows = Timeline.Recording(parts: [part]).rowNames(ofPart: 0)
    let lists = pendingWork.afterEvents
    var state = RunState()
    return part.events.indices.map { index in
      let event = part.events[index]
      state.setWork(index < lists.count ? lists[index] : [], after: event)
      state.note(event, inRow: rows[index])
      return state
    }
  }

  /// The state at a moment, and the last event until then; `nil` if nothing has happened yet.
  ///
  /// - Throws: `MissingEvent` if the part doesn't have the event of the moment.
  static func state(
    at moment: Moment, of part: Timeline.Recording.Part, _ pendingWork: PendingWorkLog.Lists
  ) throws(Moment.MissingEvent) -> (state: RunState, position: Int)? {
    guard let position = try moment.position(in: part.events) else { return nil }
    var state = states(of: part, pendingWork)[position]
    if case .time(let time) = moment { state.setWork(pendingWork.work(at: time), after: nil) }
    return (state, position)
  }

  private mutating func setWork(_ pending: [PendingWork], after event: Timeline.Event?) {
    let origins = Dictionary(uniqueKeysWithValues: work.map { ($0.work.number, $0.origin) })
    work = pending.map { Work(work: $0, origin: origins[$0.number] ?? event) }
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
