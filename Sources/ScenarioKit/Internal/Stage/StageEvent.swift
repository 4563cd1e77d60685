import Timeline
import VirtualTime

/// An event as the stage's scripts read it. Numbers of other events are distances, so that the same
/// thing at another place of a run is an equal value, and a table of runs has it once.
struct StageEvent: Hashable, Encodable {
  /// Work that waits on the clock after the event.
  struct Pending: Hashable, Encodable {
    let label: String?
    /// When it's due, in nanoseconds; `nil` if never.
    var due: Int64?
    let every: String?
    /// How many numbers ago it was set; `nil` if no event set it.
    let since: Int?
  }

  /// A request that's open after the event.
  struct Request: Hashable, Encodable {
    let lane: String
    let name: String
    var since: Int64
    let progress: String
    let bytes: Int
  }

  /// What a row's subscriber has asked for.
  struct Demand: Hashable, Encodable {
    let lane: String
    /// How many more values it takes, in words.
    let rest: String
    let delivered: Int
  }

  /// How many numbers lie between it and the event before; `nil` for none.
  let skipped: Int?
  /// Whether it happens at the instant of the event before.
  let joins: Bool?
  private(set) var nanoseconds: Int64
  let lane: String
  let role: String
  let kind: String
  /// The event as a transcript shows it.
  let text: String
  /// The event as a sentence.
  let sentence: String
  let thread: String?
  /// How many numbers before it its cause is.
  let cause: Int?
  /// The values that it's made of, unless that's just its cause.
  let from: [Int]?
  let subscription: Int?
  /// The line of code that shows it: an index in the page's files, and a line of that file.
  let file: Int?
  let line: Int?
  // What's going on after the event; `nil` if it isn't known, or is as after the event before.
  // Of demands, only those that have changed are there.
  private(set) var pending: [Pending]?
  let pendingLeftOut: Int?
  let kept: [RunState.Kept]?
  let keptLeftOut: Int?
  private(set) var requests: [Request]?
  let demands: [Demand]?

  /// Moves the times out, so that what's left is equal in runs that differ in times only. The time
  /// of an instant is that of its first event.
  mutating func moveTimes(to times: inout [Int64]) {
    if joins == true { nanoseconds = 0 } else { nanoseconds.move(to: &times) }
    for index in (pending ?? []).indices { pending?[index].due?.move(to: &times) }
    for index in (requests ?? []).indices { requests?[index].since.move(to: &times) }
  }
}

extension Int64 {
  /// Moves a time to a list, and leaves zero.
  mutating func move(to times: inout [Int64]) {
    times.append(self)
    self = 0
  }
}

extension StageEvent {
  /// The events of a part, with what's going on after each of them.
  ///
  /// - Parameters:
  ///   - part: The record.
  ///   - waiting: The work that waited on the clock; `nil` to leave out what's going on.
  ///   - line: The line that begins the part.
  ///   - code: The files that events refer to.
  static func events(
    of part: Timeline.Recording.Part, _ waiting: WaitingLog.Moments?, line: Timeline.SourceLine,
    _ code: inout CodeIndex
  ) -> [StageEvent] {
    var places: [Int: CodeIndex.Place] = [:]
    var events: [StageEvent] = []
    let sentences = Timeline.Recording(parts: [part]).sentences(ofPart: 0)
    let states = waiting.map { RunState.states(of: part, $0) }
    for (position, event) in part.events.enumerated() {
      // An event without a line has that of its cause, or that of the part.
      let place =
        event.line.flatMap { code.place(of: $0) } ?? event.cause.flatMap { places[$0] }
        ?? code.place(of: line)
      places[event.number] = place
      events.append(
        StageEvent(
          event, after: position > 0 ? part.events[position - 1] : nil, sentences[position],
          place, states?[position], formerly: position > 0 ? states?[position - 1] : nil))
    }
    return events
  }

  private init(
    _ event: Timeline.Event, after former: Timeline.Event?, _ sentence: String,
    _ place: CodeIndex.Place?,
    _ state: RunState?, formerly formerState: RunState?
  ) {
    func changed<Value: Equatable>(_ path: KeyPath<RunState, Value>) -> Value? {
      let value = state?[keyPath: path]
      return value == formerState?[keyPath: path] ? nil : value
    }
    let number = event.number
    let skippedCount = number - (former?.number ?? 0) - 1
    skipped = skippedCount == 0 ? nil : skippedCount
    joins = event.time == former?.time ? true : nil
    nanoseconds = event.time.nanoseconds
    (lane, role) = (event.lane.name, event.lane.role.rawValue)
    (kind, text) = (event.kind.name, event.kind.description)
    self.sentence = sentence
    thread = event.thread
    cause = event.cause.map { number - $0 }
    from = event.from.isEmpty || event.from == [event.cause] ? nil : event.from.map { number - $0 }
    subscription = event.subscription
    (file, line) = (place?.file, place?.line)
    pending = changed(\.work)?.map {
      Pending(
        label: $0.work.label, due: $0.work.due == .max ? nil : $0.work.due.nanoseconds,
        every: $0.work.interval?.description, since: $0.origin.map { number - $0.number })
    }
    pendingLeftOut = changed(\.workLeftOut)
    kept = changed(\.kept)
    keptLeftOut = changed(\.keptLeftOut)
    requests = changed(\.requests)?.map {
      Request(
        lane: $0.lane, name: $0.name, since: $0.since.nanoseconds, progress: $0.progress,
        bytes: $0.bytes)
    }
    let newDemands = state?.demands.filter { formerState?.demands.contains($0) != true } ?? []
    demands =
      newDemands.isEmpty
      ? nil
      : newDemands.map { Demand(lane: $0.lane, rest: $0.rest, delivered: $0.delivered) }
  }
}
