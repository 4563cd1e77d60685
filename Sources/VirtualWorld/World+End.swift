import Streams
import StubNetwork
import Timeline
import VirtualTime

/// What a test gets to know when its world ends.
extension World {
  /// What shows when a world ends, in the order in which people should read it.
  package struct Findings {
    /// What went wrong. It may be the reason why a test failed.
    package let mistakes: [Problem]

    /// What's left over, as it always is if a test stops early.
    package let leftovers: [Problem]
  }

  /// Ends the world: cancels its subscriptions and requests, and drops all work.
  package func end() -> Findings {
    requests.beginEnd()
    enter { clock.settle() }
    let open = network.openRequests
    let names = Set(open.map(\.name))
    // A task that later moves time is the test's own, and not one that runs at the same time.
    let fromOutside = requests.fromOutside
      .filter { !backend.isDriver($0.value.outsider.task) }
    let tooLate = fromOutside.filter { $0.value.isLate && names.contains("request \($0.key)") }
    let strays =
      state.withLock { $0.strays }.filter { !backend.isDriver($0.task) }
      + fromOutside.filter { tooLate[$0.key] == nil }.sorted { $0.key < $1.key }
      .map { Stray(request: $0.key, $0.value) }
    let expectations = state.withLock { $0.expectations }
    let failed = { (followsFromEarlyEnd: Bool) in
      expectations.filter { $0.canFollowFromEarlyEnd == followsFromEarlyEnd }
        .compactMap { $0.problem() }
    }
    let mistakes =
      Problem.list(strays) + network.mistakes.map { Problem(message: $0) } + failed(false)
    var leftovers = Problem.list(backend.tasks.sleeps.all)
    leftovers += unfinishedWork { work in
      work.interval == nil && work.label != TaskSleeps.label
        && !(work.label.map { names.contains($0) } ?? false)
    }
    let late = Dictionary(uniqueKeysWithValues: tooLate.map { ("request \($0.key)", $0.value) })
    leftovers += open.map { name, summary in
      late[name].map { .tooLate(name, $0) }
        ?? Problem(
          message: "\(name) (\(summary)) is still open: run the world until it ends, or cancel it")
    }
    leftovers += network.leftovers.map { Problem(message: $0) } + failed(true)
    timeline.isTearingDown = true
    enter {
      // Some subscriptions hop to a queue to cancel, and that queue belongs to the world too.
      cancellables = []
      clock.settle()
    }
    // The first check ends the subscriptions that are left, and others look at what they received.
    let found = state.withLock { $0.checks }.reversed().map { $0() }
    leftovers += unfinishedWork { $0.interval != nil }
    leftovers += found.reversed().flatMap(\.self)
    close()
    return Findings(mistakes: mistakes, leftovers: leftovers)
  }

  /// One problem for each place that scheduled work which is still due, with the earliest work.
  private func unfinishedWork(where isIncluded: (PendingWork) -> Bool) -> [Problem] {
    // Without a known place, work counts as one place if it has the same label or time.
    enum Place: Hashable {
      case source(Problem.Source)
      case label(String)
      case due(VirtualTime)
    }
    var groups: [UnfinishedWork] = []
    var indices: [Place: Int] = [:]
    for (work, site) in clock.unfinishedWork where isIncluded(work) {
      let source = (site as? any Site)?.source
      let place = source.map(Place.source) ?? work.label.map(Place.label) ?? .due(work.due)
      if let index = indices[place] {
        groups[index].add(work)
      } else {
        indices[place] = groups.count
        groups.append(UnfinishedWork(work, source))
      }
    }
    return groups.map(\.problem)
  }

  /// The work of a place that's still due when the world ends.
  private struct UnfinishedWork {
    /// The earliest work.
    private let first: PendingWork
    private let source: Problem.Source?
    private var count = 1
    private var lastDue: VirtualTime

    init(_ work: PendingWork, _ source: Problem.Source?) {
      first = work
      self.source = source
      lastDue = work.due
    }

    /// Adds later work.
    mutating func add(_ work: PendingWork) {
      count += 1
      lastDue = work.due
    }

    var problem: Problem {
      let isOneTime = lastDue == first.due
      let name = isOneTime ? first.label.map { " (\($0))" } ?? "" : " (\(count) times)"
      let times = isOneTime ? "\(first.due)" : "\(first.due) to \(lastDue)"
      let interval = first.interval.map { " and then every \($0)" } ?? ""
      let place =
        source.map { ", scheduled at \($0.fileName):\($0.line)" }
        ?? first.source.map { ", scheduled at \($0)" } ?? ""
      return Problem(
        message: "unfinished work\(name), due at \(times)\(interval)\(place): run the world until "
          + "it is done, or cancel it",
        source: source)
    }
  }
}
