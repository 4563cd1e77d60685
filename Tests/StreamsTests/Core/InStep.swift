import Foundation
import Synchronization
import TestSupport

/// Runs a closure for each element on two threads that begin each round at the same moment, with
/// the number of the thread, 0 or 1.
///
/// The closure returns whether this thread came first. The thread that does so too often waits a
/// little longer in the next round. So the two soon meet where the race is, and stay there.
func onTwoThreadsInStep<Element: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element, Int) -> Bool
) {
  let step = Step()
  onThreads(2) { thread in
    for (round, element) in elements.enumerated() {
      step.wait(forRound: round)
      step.giveWay(thread)
      let isFirst = body(element, thread)
      if thread == 0 { step.learn(isFirst) }
    }
  }
}

/// Where two threads wait for each other.
private final class Step: Sendable {
  private let arrivals = Atomic<Int>(0)

  /// How long thread 0 waits in each round or, if it's negative, thread 1 does.
  private let lead = Atomic<Int>(0)

  func wait(forRound round: Int) {
    arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
    var tries = 0
    while arrivals.load(ordering: .acquiring) < 2 * (round + 1) {
      tries += 1
      if tries > 200 { sched_yield() }
    }
  }

  func giveWay(_ thread: Int) {
    let lead = lead.load(ordering: .relaxed)
    for _ in 0..<max(0, thread == 0 ? lead : -lead) { pause() }
  }

  /// Called by thread 0 only.
  func learn(_ isFirst: Bool) { lead.wrappingAdd(isFirst ? 1 : -1, ordering: .relaxed) }

  @inline(never)
  private func pause() { _ = arrivals.load(ordering: .relaxed) }
}
