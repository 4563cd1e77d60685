/// The texts of all guard reports, in one place so that they follow one pattern: what happened, at
/// which time, and which work it comes from.
extension GuardFailure {
  static func loopAtOneInstant(_ now: VirtualTime, count: Int, last: [TraceEntry]) -> Self {
    Self(
      rule: .loopAtOneInstant,
      message: "time doesn't move: \(count) actions ran at \(now), and more are due then. The last "
        + "ones were" + list(last))
  }

  static func endlessSettling(_ now: VirtualTime, rounds: Int) -> Self {
    Self(
      rule: .loopAtOneInstant,
      message: "time doesn't move: something attached to the clock found new work at \(now) in "
        + "\(rounds) rounds. Does a stream feed itself through a queue?")
  }

  static func endlessHops(_ now: VirtualTime, count: Int) -> Self {
    Self(
      rule: .loopAtOneInstant,
      message: "time doesn't move: \(count) actions were sent to queues at \(now), and more are "
        + "coming. Does a stream feed itself through a queue?")
  }

  static func endlessTasks(_ now: VirtualTime, count: Int) -> Self {
    Self(
      rule: .loopAtOneInstant,
      message:
        "time doesn't move: \(count) parts of tasks ran at \(now), and more are coming. Does a "
        + "loop call Task.yield() until something happens? Await that instead, or sleep in between")
  }

  static func endlessRun(
    _ call: MovingCall, now: VirtualTime, count: Int, limit: Int, repeats: [PendingWork],
    last: [TraceEntry]
  ) -> Self {
    let higherLimit = limit > .max / 10 ? .max : 10 * limit
    // Not for a condition, which has no words.
    let advice =
      if case .runWhile = call {
        ""
      } else {
        "If it ends later, allow more: \(call.description(limit: higherLimit)). "
      }
    let suspects =
      repeats.isEmpty
      ? "No timer repeats. The last actions were" + list(last)
      : "These actions repeat, so move time by an interval, with advance(by:), or cancel them"
        + list(repeats)
    return Self(
      rule: .endlessRun,
      message: "\(call) doesn't end: \(count) actions ran, the clock is at \(now), and more are "
        + "due. " + advice + suspects)
  }

  static func goingBack(_ call: MovingCall, now: VirtualTime, target: VirtualTime) -> Self {
    Self(
      rule: .goingBack,
      message: "\(call) would move time back: the clock is at \(now), the target is \(target)")
  }

  static func repeatWithoutTime(_ interval: VirtualTime.Interval) -> Self {
    Self(
      rule: .repeatWithoutTime,
      message: "can't repeat every \(interval): the interval must be greater than 0")
  }

  static let notATime = Self(
    rule: .notATime, message: "NaN isn't a span of time: pass a number")

  static func runInsideAction(
    _ call: MovingCall, during run: SchedulerState.Run, action: TraceEntry?
  ) -> Self {
    let place =
      if run.isSettling {
        "a callback that runs while the clock settles"
      } else if run.current != nil, let action {
        "the action" + list([action])
      } else {
        "the condition of run(while:)"
      }
    return Self(
      rule: .runInsideAction,
      message: "\(call) moves time, so it can't be called inside \(place)")
  }

  static func secondThread(_ call: MovingCall, during other: MovingCall) -> Self {
    Self(
      rule: .secondThread,
      message:
        "\(call) was called while \(other) runs work on another thread: only one thread at a "
        + "time can move time")
  }

  static func unfinishedWork(_ work: [PendingWork], now: VirtualTime) -> Self {
    Self(
      rule: .unfinishedWork,
      message: "the scope ends at \(now) with unfinished work" + list(work))
  }

  static func differentSchedulers(used: String, scope: String) -> Self {
    Self(
      rule: .differentSchedulers,
      message: "a scope has one scheduler, but \(used) was used in the scope of \(scope)")
  }

  private static func list(_ lines: [some CustomStringConvertible]) -> String {
    lines.reduce(into: ":") { $0 += "\n  \($1)" }
  }
}
