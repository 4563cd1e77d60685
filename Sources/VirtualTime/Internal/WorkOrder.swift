/// The choices of a clock with a schedule: which of the things that could happen next at an instant
/// happens.
///
/// It knows neither the queue of work nor time. The scheduler's state asks it to pick from a list
/// of names, and it remembers what it was asked.
struct WorkOrder {
  /// The departures that haven't come yet.
  private var rest: ArraySlice<Schedule.Departure>

  /// The choices so far.
  private(set) var choices: [OrderChoice] = []

  /// The first step at which the schedule doesn't fit this run.
  private(set) var problem: String?

  /// The actions that wait for their queues, in the order they were sent, by lane.
  private var hops: [OrderLane: ArraySlice<QueueHop>] = [:]
  private var hopCount: UInt64 = 0

  /// The lanes that were picked at the last instant with a choice, the latest first. They go first
  /// until the instant is over, so a request that overtakes another does so with all its signals.
  private var preferredLanes: [OrderLane] = []
  private var lastInstant = VirtualTime.max

  /// The work that was picked and still waits for the world to settle.
  var picked: Work?

  init(_ schedule: Schedule) { rest = schedule.departures[...] }

  mutating func add(_ hop: QueueHop) {
    var hop = hop
    hopCount += 1
    hop.number = hopCount
    hops[hop.lane, default: []].append(hop)
  }

  /// Removes all actions that wait, for the caller to drop.
  mutating func removeHops() -> [QueueHop] {
    defer { hops = [:] }
    return hops.values.flatMap(\.self)
  }

  /// Whether actions wait for their queues.
  var hasHops: Bool { !hops.isEmpty }

  /// Takes the next action of a lane.
  mutating func takeHop(_ lane: OrderLane) -> QueueHop? {
    let hop = hops[lane]?.popFirst()
    if hops[lane]?.isEmpty ?? false { hops[lane] = nil }
    return hop
  }

  /// The actions that could run next, in the order they were sent: the first of each serial queue.
  var nextHops: [QueueHop] {
    hops.values.compactMap(\.first).sorted { $0.number < $1.number }
  }

  /// The places of candidates in the order in which they'd run: first the lanes that were picked
  /// before at this instant.
  mutating func preferred(_ lanes: [OrderLane], at time: VirtualTime) -> [Int] {
    if lastInstant != time { (lastInstant, preferredLanes) = (time, []) }
    let first = preferredLanes.compactMap { lanes.firstIndex(of: $0) }
    return first + lanes.indices.filter { !first.contains($0) }
  }

  /// Picks one of several candidates.
  mutating func pick(
    at time: VirtualTime, from candidates: [String], lanes: [OrderLane]
  ) -> Int {
    let index = choices.last.map { $0.time == time ? $0.index + 1 : 0 } ?? 0
    let pick = pick(at: time, index, from: candidates)
    choices.append(OrderChoice(time: time, index: index, candidates: candidates, pick: pick))
    if pick > 0 {
      preferredLanes.removeAll { $0 == lanes[pick] }
      preferredLanes.insert(lanes[pick], at: 0)
    }
    return pick
  }

  private mutating func pick(at time: VirtualTime, _ index: Int, from candidates: [String]) -> Int {
    skipDepartures(before: time, index)
    guard let departure = rest.first, departure.time == time, departure.choice == index else {
      return 0
    }
    rest.removeFirst()
    guard departure.pick < candidates.count else {
      note(
        "at \(time), choice \(index) has no candidate \(departure.pick): it has "
          + candidates.enumerated().map { "\($0) (\($1))" }.joined(separator: ", "))
      return 0
    }
    return departure.pick
  }

  /// The problem, if the run is over now, so that a departure which hasn't come never does.
  var problemAtEnd: String? { problem ?? rest.first.map { Self.misfit(reason(of: $0)) } }

  private mutating func skipDepartures(before time: VirtualTime, _ index: Int) {
    while let departure = rest.first, (departure.time, departure.choice) < (time, index) {
      note(reason(of: departure))
      rest.removeFirst()
    }
  }

  /// Why a departure doesn't fit.
  private func reason(of departure: Schedule.Departure) -> String {
    let count = choices.count { $0.time == departure.time }
    return count == 0
      ? "nothing is left to choose at \(departure.time)"
      : "at \(departure.time) there's no choice \(departure.choice): there are \(count), from 0"
  }

  private mutating func note(_ text: String) { problem = problem ?? Self.misfit(text) }

  private static func misfit(_ reason: String) -> String {
    "the schedule doesn't fit this run: \(reason)"
  }
}
