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

  /// The seconds that have passed.
  var elapsedSeconds: Int { Int(wallClock.now.nanoseconds / 1_000_000_000) }

  /// The time that is left in whole seconds, rounded up.
  var remainingSeconds: Int {
    Int((VirtualTime.zero.advanced(by: remaining).nanoseconds + 999_999_999) / 1_000_000_000)
  }

  /// Says in one line that a run was stopped.
  ///
  /// - Parameters:
  ///   - openRequests: The requests that were still open, as `GET http://…`.
  ///   - reason: Why it was stopped; `nil` if it's this limit.
  func problem(openRequests: [String], because reason: String? = nil) -> String {
    let named = openRequests.prefix(4).joined(separator: ", ")
    let more = openRequests.count > 4 ? " and \(openRequests.count - 4) more" : ""
    let requests = openRequests.isEmpty ? "no request is open" : "open requests: \(named)\(more)"
    return "\(stopped(because: reason)); \(requests)"
  }

  private func stopped(because reason: String?) -> String {
    reason.map { "stopped, because \($0)" } ?? "stopped at the time limit of \(seconds) s"
  }

  /// Says in one line that a run was stopped within a call that didn't end.
  ///
  /// - Parameters:
  ///   - activity: The step of the run.
  ///   - standstill: The reason why the main thread has no turns, if it has none.
  ///   - reason: Why it was stopped; `nil` if it's this limit.
  func problem(
    during activity: World.Activity?, standstill: String?, because reason: String? = nil
  ) -> String {
    func problem(openRequests: [String]) -> String {
      guard openRequests.isEmpty, let standstill else {
        return self.problem(openRequests: openRequests, because: reason)
      }
      return "\(stopped(because: reason)); \(standstill)"
    }
    switch activity {
    case nil: return problem(openRequests: [])
    case .check(let server, let part):
      let start = part.map { "\($0): " } ?? ""
      if let reason { return "\(start)the check of \(server) was stopped, because \(reason)" }
      return start
        + "\(server) didn't respond within the time limit of \(seconds) s. "
        + "Is the port right, and is the server healthy?"
    case .part(let title, let network):
      return "\(title): \(problem(openRequests: network.openRequests))"
    }
  }

  /// Says in one line that a run was stopped from outside, where its requests aren't known.
  var problemFromOutside: String {
    "stopped at the time limit of \(seconds) s, because the run didn't end by itself"
  }
}
