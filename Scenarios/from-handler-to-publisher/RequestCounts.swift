import ScenarioKit
import Synchronization

private let counts = Mutex<[(situation: String, attempt: String, requests: Int)]>([])

/// Makes each attempt one second after the one before, and counts the requests that it makes.
func countRequests(
  _ situation: String, in world: World, of attempts: KeyValuePairs<String, () -> Void>
) {
  for (index, (name, attempt)) in attempts.enumerated() {
    let start = VirtualTime.zero.advanced(by: .seconds(index))
    var before = 0
    world.at(start) {
      print("\(name):")
      before = world.requestCount
      attempt()
    }
    // By then, all responses have arrived.
    world.at(start.advanced(by: .milliseconds(900))) {
      let requests = world.requestCount - before
      print("requests:", requests)
      counts.withLock { $0.append((situation, name, requests)) }
    }
  }
}

/// Prints the counts of the three streams, with a column for each situation.
func printRequestCounts() {
  let counts = counts.withLock { $0 }
  let situations = ["no subscriber", "two subscribers", "retry(1)"]
  func printRow(_ title: String, _ cells: [String]) {
    print(title.padding(toLength: 20, withPad: " ", startingAt: 0), cells.joined(separator: "  "))
  }
  printRow("requests made by", situations)
  for stream in ["Future", "Deferred { Future }", "dataTaskPublisher"] {
    let cells = situations.map { situation in
      let count = counts.first { $0.situation == situation && $0.attempt == stream }
      return String(repeating: " ", count: situation.count - 1) + "\(count?.requests ?? 0)"
    }
    printRow(stream, cells)
  }
}
