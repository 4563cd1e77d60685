import Streams
import Timeline
import VirtualTime

/// Notices that one request is made again and again, such as by a retry without an end, and stops
/// the call that moves time.
///
/// A request takes a thousand times as long as another action. So the clock's own limits, which
/// count actions, would report such a loop only after a long while.
///
/// ## The rule
///
/// Requests with one method and URL count if each was made later in a chain of actions than the one
/// before: after it and because of it, or by a later tick of one timer. Requests that have nothing
/// to do with each other don't count, however many there are. A call that moves time stops after
/// 500 of them; if it ends at a certain time anyway, as `advance(by:)` does, after 500 at one
/// instant or 5,000 in all. A call with a limit of its own isn't stopped.
final class RepeatedRequests: Sendable {
  static let most = 500
  private static let mostInCallWithEnd = 10 * most

  private struct Repeats {
    /// The call that moved time.
    var call: UInt64 = 0
    var count = 0
    var countAtInstant = 0
    /// The last of them: its chain, its time and its event.
    var chain = -1
    var time = VirtualTime.zero
    var event = 0

    mutating func add(_ event: Timeline.Event, in progress: VirtualTimeScheduler.Progress) {
      if progress.call != call { self = Repeats(call: progress.call) }
      guard progress.chain > chain else { return }
      countAtInstant = event.time == time ? countAtInstant + 1 : 1
      count += 1
      (chain, time, self.event) = (progress.chain, event.time, event.number)
    }
  }

  private struct State {
    var repeats: [String: Repeats] = [:]
    var needsSites = false
  }

  private let state = Locked(State())

  /// Whether a report may come soon, so that the place of each new request is needed.
  var needsSites: Bool { state.withLock { $0.needsSites } }

  /// Notes that a request was made.
  ///
  /// - Parameter site: Where it was made, if that's known.
  /// - Returns: The rule that's broken, and a message, if it's one too many.
  func note(
    _ request: String, _ event: Timeline.Event, madeAt site: (any World.Site)?,
    on timeline: Timeline, _ progress: VirtualTimeScheduler.Progress
  ) -> (GuardFailure.Rule, String)? {
    if progress.hasLimit { return nil }
    let mostInAll = progress.hasEnd ? Self.mostInCallWithEnd : Self.most
    let (former, new) = state.withLock { state in
      let former = state.repeats[request] ?? Repeats()
      state.repeats[request, default: former].add(event, in: progress)
      let new = state.repeats[request] ?? former
      state.needsSites =
        new.countAtInstant + 2 > Self.most || new.count + 2 > mostInAll || state.needsSites
      return (former, new)
    }
    let isAtOneInstant = new.countAtInstant >= Self.most
    // A request that doesn't count isn't the one that leads to the report.
    guard new.event == event.number, isAtOneInstant || new.count >= mostInAll else { return nil }
    let problem =
      isAtOneInstant
      ? "time doesn't move: \(request) was made \(new.countAtInstant) times at \(new.time)"
      : "\(progress.name) doesn't end: \(request) was made \(new.count) times until \(new.time)"
    let suspect =
      site?.repeater.map { "\($0) repeats it" }
      ?? "something repeats it, such as a retry without a count, or a timer"
    let message =
      "\(problem), because \(suspect). Give it an end, such as retry(2) or prefix(10), or a stub "
      + "that succeeds. If it ends later, allow more: \(progress.nameWithLimit)"
      + steps(from: former.event, to: event.number, on: timeline)
    return (isAtOneInstant ? .loopAtOneInstant : .endlessRun, message)
  }

  /// What led from one request to the next, as lines below the message.
  private func steps(from first: Int, to last: Int, on timeline: Timeline) -> String {
    let steps = timeline.recordingUnseen.filter { (first...last).contains($0.number) }
    guard first > 0, let explanation = try? steps.explanation(of: last) else { return "" }
    // Below the heading and an empty line.
    let lines = explanation.split(separator: "\n").dropFirst()
    return ". The last time, it came like this:" + lines.map { "\n  \($0)" }.joined()
  }
}
