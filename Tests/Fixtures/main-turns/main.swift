// Sends blocks to all kinds of queues from a second thread, in a random mix, and checks the order
// in which the blocks and that thread's own work run.
//
//     main-turns [ROUNDS]             the main thread takes turns, as in a scenario
//     main-turns --pumping [ROUNDS]   the main thread serves its queue all the time (uses only the
//                                     main queue and the main run loop)
//     main-turns --stuck-world        the world waits for the main thread
//     main-turns --stuck-queue        a block on a second queue waits for the main thread
//
// Prints in how many rounds the order was wrong.

import Foundation
import ScenarioKit
import StreamsFoundation
import TestSupport
import VirtualWorld

let arguments = CommandLine.arguments.dropFirst()
if let place = arguments.last, ["--stuck-world", "--stuck-queue"].contains(place) {
  getStuck(in: place)
}
let isPumping = arguments.contains("--pumping")
let rounds = arguments.compactMap { Int($0) }.first ?? 2000
let wrong = isPumping ? pump(rounds) : takeTurns(rounds)
print("\(wrong) of \(rounds) rounds out of order")

enum Step: CaseIterable {
  case direct, mainQueue, runLoop
  case plainAsync, workItem, mainOperation, ownQueue, globalQueue, operation

  static let ofTheMainThread: [Step] = [.direct, .mainQueue, .runLoop]
}

/// Plans a round: work of the thread itself, and blocks for other threads.
func plan(_ round: Int, of steps: [Step]) -> [Step] {
  var random = SplitMix64(seed: UInt64(round))
  return (0..<8).map { _ in steps.randomElement(using: &random) ?? .direct }
}

/// Performs a plan, and logs the number of each step when it runs, or -1 on the wrong thread.
struct Round: Sendable {
  let ownQueue = DispatchQueue(label: "own")
  let operations = OperationQueue()
  let log = CallLog()

  func perform(_ plan: [Step]) {
    for (number, step) in plan.enumerated() {
      switch step {
      case .direct: note(number, isRight: !Thread.isMainThread)
      case .mainQueue: DispatchQueue.main.schedule { noteOnMain(number) }
      case .runLoop: RunLoop.main.schedule { noteOnMain(number) }
      case .plainAsync: DispatchQueue.main.async { noteOnMain(number) }
      case .workItem:
        DispatchQueue.main.async(execute: DispatchWorkItem { noteOnMain(number) })
      case .mainOperation: OperationQueue.main.schedule { noteOnMain(number) }
      case .ownQueue: ownQueue.schedule { note(number, isRight: !Thread.isMainThread) }
      case .globalQueue:
        DispatchQueue.global().schedule { note(number, isRight: !Thread.isMainThread) }
      case .operation:
        operations.schedule { note(number, isRight: OperationQueue.current === operations) }
      }
    }
  }

  /// Whether the thread's own work ran first and then the blocks, each in the order of scheduling.
  func isInOrder(_ plan: [Step]) -> Bool {
    let direct = plan.indices.filter { plan[$0] == .direct }
    let sent = plan.indices.filter { plan[$0] != .direct }
    return log.lines == (direct + sent).map(String.init)
  }

  private func noteOnMain(_ number: Int) { note(number, isRight: Thread.isMainThread) }

  private func note(_ number: Int, isRight: Bool) { log.append("\(isRight ? number : -1)") }
}

func takeTurns(_ rounds: Int) -> Int {
  MainThread.alternate { turns in
    let world = makeWorld(turns)
    defer { world.close() }
    return (0..<rounds).count { number in
      let round = Round()
      let plan = plan(number, of: Step.allCases)
      round.perform(plan)
      while turns.settle() {}
      return !round.isInOrder(plan)
    }
  }
}

/// Makes the world that schedulers send their work to.
func makeWorld(_ turns: MainThread.Turns) -> VirtualWorld.World {
  let world = VirtualWorld.World(runner: turns, label: { _ in nil }, onFailure: { fatalError($0) })
  world.becomeSoleWorld()
  return world
}

func pump(_ rounds: Int) -> Int {
  let wrong = CallLog()
  let done = DispatchSemaphore(value: 0)
  Thread {
    for number in 0..<rounds {
      let round = Round()
      let plan = plan(number, of: Step.ofTheMainThread)
      round.perform(plan)
      while round.log.lines.count < plan.count {}
      if !round.isInOrder(plan) { wrong.append("\(number)") }
    }
    done.signal()
  }.start()
  while done.wait(timeout: .now()) == .timedOut {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }
  return wrong.lines.count
}

/// Blocks the world, prints the report about it, and ends the program.
func getStuck(in place: String) -> Never {
  MainThread.alternate(
    patience: .milliseconds(50),
    onStandstill: { problem in
      // Not into the record of the world.
      Swift.print(problem)
      exit(1)
    },
    { turns in
      let world = makeWorld(turns)
      defer { world.close() }
      if place == "--stuck-world" { DispatchQueue.main.sync {} }
      DispatchQueue(label: "own").schedule { DispatchQueue.main.sync {} }
      while turns.settle() {}
    })
  fatalError("came through")
}
