// Sends blocks to the main queue and to the main run loop from another thread, mixed, and checks
// the order in which they and that thread's own work come to pass.
//
//     main-turns [ROUNDS]             the main thread takes turns, as in a scenario
//     main-turns --pumping [ROUNDS]   the main thread serves its queue all the time
//
// Prints how many rounds came out in another order than that of scheduling.

import Foundation
import ScenarioKit
import StreamsFoundation
import TestSupport

let arguments = CommandLine.arguments.dropFirst()
let isPumping = arguments.contains("--pumping")
let rounds = arguments.compactMap { Int($0) }.first ?? 2000
let wrong = isPumping ? pump(rounds) : takeTurns(rounds)
print("\(wrong) of \(rounds) rounds out of order")

/// What a round does: work of the thread itself, and blocks for the main thread.
func plan(_ round: Int) -> [Step] {
  var random = SplitMix64(seed: UInt64(round))
  return (0..<8).map { _ in Step.allCases.randomElement(using: &random) ?? .direct }
}

enum Step: CaseIterable {
  case direct, mainQueue, runLoop
}

/// Does what is planned; what comes to pass is noted by number, on whatever thread it does.
func perform(_ plan: [Step], _ note: @escaping @Sendable (Int) -> Void) {
  for (number, step) in plan.enumerated() {
    switch step {
    case .direct: note(number)
    case .mainQueue: DispatchQueue.main.schedule { note(Thread.isMainThread ? number : -1) }
    case .runLoop: RunLoop.main.schedule { note(Thread.isMainThread ? number : -1) }
    }
  }
}

/// First the thread's own work, then the blocks, each in the order of scheduling.
func expectation(_ plan: [Step]) -> [Int] {
  plan.indices.filter { plan[$0] == .direct } + plan.indices.filter { plan[$0] != .direct }
}

func takeTurns(_ rounds: Int) -> Int {
  MainThread.alternate { turns in
    (0..<rounds).count { round in
      let log = CallLog()
      perform(plan(round)) { log.append("\($0)") }
      while turns.take(watching: { 0 }) {}
      return log.lines != expectation(plan(round)).map(String.init)
    }
  }
}

func pump(_ rounds: Int) -> Int {
  let counter = CallLog()
  let done = DispatchSemaphore(value: 0)
  Thread {
    for round in 0..<rounds {
      let log = CallLog()
      perform(plan(round)) { log.append("\($0)") }
      while log.lines.count < 8 {}
      if log.lines != expectation(plan(round)).map(String.init) { counter.append("wrong") }
    }
    done.signal()
  }.start()
  while done.wait(timeout: .now()) == .timedOut {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }
  return counter.lines.count
}
