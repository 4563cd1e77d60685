import VirtualTime

/// The things that a test can't get by waiting, because they only happen when a call moves time.
extension World {
  /// A mark that's different after each call that moves time, and after work was scheduled. It's
  /// `nil` while a call moves time.
  package var activity: VirtualTimeScheduler.Activity? { clock.activity }

  /// Whether something only happens when time moves.
  package var standsStill: Bool {
    clock.nextDue != nil || backend.hasWaitingActions || !network.isQuiet
  }

  /// The first thing that only happens when time moves, for a test that waits; `nil` if there's
  /// none.
  ///
  /// - Parameter isInLoop: Whether the test goes on again and again, so something is always ready.
  package func standstill(isInLoop: Bool) -> Problem? {
    if let (work, site) = clock.unfinishedWork.first {
      // The name of a request is the label of its work.
      if let request = network.openRequests.first(where: { $0.name == work.label }) {
        return .standstill("\(request.name) (\(request.summary)) goes on at \(work.due)", nil)
      }
      let source = (site as? any Site)?.source
      let place = source.map { ", scheduled at \($0.fileName):\($0.line)" } ?? ""
      return .standstill("work is due at \(work.due)\(place)", source)
    }
    if isInLoop { return nil }
    if backend.hasWaitingActions { return .standstill("work for a queue hasn't run", nil) }
    if !network.isQuiet { return .standstill("the network hasn't settled", nil) }
    return nil
  }
}

extension World.Problem {
  fileprivate static func standstill(_ reason: String, _ source: Source?) -> Self {
    Self(
      message:
        "the test waits, and nothing moves time while it does: \(reason). Call world.run() before "
        + "the wait: with world.record(_:), or between makeAsyncIterator() and next()",
      source: source)
  }
}
