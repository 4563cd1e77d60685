import ScenarioKit
import Synchronization

/// The three ways to make a stream of a load.
enum Way: String, CaseIterable {
  case future = "Future"
  case deferred = "Deferred { Future }"
  case publisher = "dataTaskPublisher"
}

// region: trial
/// Tries one way after the other, and counts the requests that each of them makes.
final class Trial {
  private let name: String
  private let world: World
  private var start = VirtualTime.zero

  init(_ name: String, in world: World) {
    self.name = name
    self.world = world
  }

  /// Tries a way, for the table.
  func of(_ way: Way, _ attempt: @escaping () -> Void) {
    let name = name
    run(way.rawValue, attempt) { requests in
      table.withLock { $0.append((name, way, requests)) }
    }
  }

  /// Tries something else, beside the table.
  func also(_ title: String, _ attempt: @escaping () -> Void) { run(title, attempt) { _ in } }

  private func run(
    _ title: String, _ attempt: @escaping () -> Void, then note: @escaping (Int) -> Void
  ) {
    let world = world
    var before = 0
    world.at(start) {
      print("\(title):")
      before = world.requestCount
      attempt()
    }
    // note: Late enough for all answers to be there.
    world.at(start.advanced(by: .milliseconds(900))) {
      let requests = world.requestCount - before
      print("requests:", requests)
      note(requests)
    }
    start = start.advanced(by: .seconds(1))
  }
}
// endregion

/// What the trials have counted, in order.
private let table = Mutex<[(trial: String, way: Way, requests: Int)]>([])

/// Prints what the trials have counted: a row for each way, a column for each trial.
func printTable() {
  let cells = table.withLock { $0 }
  var trials: [String] = []
  for cell in cells where !trials.contains(cell.trial) { trials.append(cell.trial) }
  let corner = "requests made by"
  let width = Way.allCases.map(\.rawValue.count).max() ?? corner.count
  let gap = "  "
  print(
    corner.padding(toLength: width, withPad: " ", startingAt: 0) + gap
      + trials.joined(separator: gap))
  for way in Way.allCases {
    let counts = trials.map { trial in
      let cell = cells.first { $0.trial == trial && $0.way == way }
      let requests = cell.map { "\($0.requests)" } ?? "-"
      return String(repeating: " ", count: trial.count - requests.count) + requests
    }
    print(
      way.rawValue.padding(toLength: width, withPad: " ", startingAt: 0) + gap
        + counts.joined(separator: gap))
  }
}
