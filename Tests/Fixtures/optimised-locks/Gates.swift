import Foundation
import Streams

/// Lets two threads meet at a gate, and prints how often both were inside at the same time.
///
/// An optimised build enters within a nanosecond, and only then does a mistake in the order of
/// memory accesses show.
func checkGates() {
  let duel = Duel()
  let ended = DispatchSemaphore(value: 0)
  for _ in 0..<2 {
    Thread.detachNewThread {
      for _ in 0..<Duel.turns { duel.takeTurn() }
      ended.signal()
    }
  }
  for _ in 0..<2 { ended.wait() }
  print("two threads, \(Duel.turns) turns each: \(2 * Duel.turns - duel.count) lost")
}

// `@unchecked`: the gate guards `count`.
private final class Duel: @unchecked Sendable {
  static let turns = 200_000

  private let gate = Gate()
  private(set) var count = 0

  func takeTurn() {
    let wasOutside = gate.enter()
    count += 1
    if wasOutside, !gate.leaveUndisturbed() { gate.leave {} }
  }
}
