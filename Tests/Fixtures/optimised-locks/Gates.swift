import Foundation
import Streams
import Synchronization

/// Lets two threads meet at gates, and prints whether both were ever inside one at the same time.
///
/// One thread uses a gate until it's biased towards it, and goes on. Then the other takes the bias
/// away. That happens only once to a gate, so there are many. An optimised build enters within a
/// nanosecond, and only then does a missing memory barrier show.
func checkGates() {
  let duels = (0..<1500).map { _ in Duel() }
  let threads = [
    Thread { for duel in duels { duel.useUntilTheOtherHasCome() } },
    Thread { for duel in duels { duel.come() } },
  ]
  for thread in threads { thread.start() }
  for duel in duels { duel.waitForEnd() }
  let lost = duels.filter { $0.turns != $0.expectedTurns }.count
  print("\(duels.count) gates: two threads inside at once in \(lost)")
}

// `@unchecked`: the gate guards `turns`, and each thread has a counter of its own.
private final class Duel: @unchecked Sendable {
  private let gate = Gate()
  private let hasBegun = Atomic(false)
  private let hasCome = Atomic(false)
  private let hasEnded = Atomic(false)
  private(set) var turns = 0
  private var turnsOfOwner = 0
  private let turnsOfOther = 3

  var expectedTurns: Int { turnsOfOwner + turnsOfOther }

  func useUntilTheOtherHasCome() {
    while !hasCome.load(ordering: .acquiring) {
      take()
      turnsOfOwner += 1
      // The gate is biased after 1,000 turns.
      if turnsOfOwner == 5000 { hasBegun.store(true, ordering: .releasing) }
    }
    hasEnded.store(true, ordering: .releasing)
  }

  func come() {
    while !hasBegun.load(ordering: .acquiring) { sched_yield() }
    for _ in 0..<turnsOfOther { take() }
    hasCome.store(true, ordering: .releasing)
  }

  func waitForEnd() {
    while !hasEnded.load(ordering: .acquiring) { usleep(1000) }
  }

  private func take() {
    let wasOutside = gate.enter()
    turns += 1
    if wasOutside, !gate.leaveUndisturbed() { gate.leave {} }
  }
}
