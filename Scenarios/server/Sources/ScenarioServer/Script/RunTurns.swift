/// Counts the requests of each run of a scenario, per path.
///
/// The server isn't told when a run ends. So it remembers a bounded number of runs, and forgets the
/// one that began first.
struct RunTurns {
  private let limit: Int
  private var counts: [String: [String: Int]] = [:]
  /// The runs in the order of their first requests, in a ring whose oldest entry is at `oldest`.
  private var runs: [String] = []
  private var oldest = 0

  /// - Parameter limit: The most runs to remember, at least 1.
  init(limit: Int) { self.limit = limit }

  /// Returns how many requests of this run and path came before this one.
  mutating func next(run: String, path: String) -> Int {
    if counts[run] == nil { remember(run) }
    let count = counts[run, default: [:]][path, default: 0]
    counts[run, default: [:]][path] = count + 1
    return count
  }

  private mutating func remember(_ run: String) {
    guard runs.count == limit else {
      runs.append(run)
      return
    }
    counts[runs[oldest]] = nil
    runs[oldest] = run
    oldest = (oldest + 1) % limit
  }
}
