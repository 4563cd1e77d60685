import Foundation
import Synchronization
import TestSupport

/// Runs a closure for each element on two threads that begin each round at the same moment, with
/// the number of the thread. So they meet far more often than two threads that are started anew.
func onTwoThreadsInStep<Element: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element, Int) -> Void
) {
  let step = Step()
  onThreads(2) { thread in
    for (round, element) in elements.enumerated() {
      step.wait(forRound: round)
      // A thread may need longer for its way to the interesting place, so the other one waits for
      // a while that differs from round to round.
      if thread == round % 2 { for _ in 0..<(round / 2 % 64) { step.pause() } }
      body(element, thread)
    }
  }
}

/// Where two threads wait for each other.
private final class Step: Sendable {
  private let arrivals = Atomic<Int>(0)

  func wait(forRound round: Int) {
    arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
    var tries = 0
    while arrivals.load(ordering: .acquiring) < 2 * (round + 1) {
      tries += 1
      if tries > 200 { sched_yield() }
    }
  }

  @inline(never)
  func pause() { _ = arrivals.load(ordering: .relaxed) }
}
