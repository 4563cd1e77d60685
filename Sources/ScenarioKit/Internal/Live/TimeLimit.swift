import VirtualTime

/// The time that a whole run with a server may take, on the wall clock.
///
/// It counts from the moment this was made, so the check of the server is part of it.
struct TimeLimit: Sendable {
  /// The limit without `--time-limit`, in seconds.
  static let standardSeconds = 60

  /// The values that `--time-limit` takes, in seconds.
  static let secondsAllowed = 1...3_600
  let seconds: Int
  private let wallClock: WallClock

  /// - Parameters:
  ///   - seconds: The limit in seconds.
  ///   - wallClock: A clock that starts with the run.
  init(seconds: Int, _ wallClock: WallClock = WallClock()) {
    self.seconds = seconds
    self.wallClock = wallClock
  }

  private var end: VirtualTime { .seconds(seconds) }

  /// Whether the time is over.
  var isReached: Bool { wallClock.now >= end }

  /// The time that is left. It's zero if the time is over.
  var remaining: VirtualTime.Interval { max(.zero, wallClock.now.distance(to: end)) }

  /// Says in one line that a run was stopped.
  ///
  /// - Parameter openRequests: The requests that were still open, as `GET http://…`.
  func problem(openRequests: [String]) -> String {
    let named = openRequests.prefix(4).joined(separator: ", ")
    let more = openRequests.count > 4 ? " and \(openRequests.count - 4) more" : ""
    let requests = openRequests.isEmpty ? "no request is open" : "open requests: \(named)\(more)"
    return "stopped at the time limit of \(seconds) s; \(requests)"
  }
}
