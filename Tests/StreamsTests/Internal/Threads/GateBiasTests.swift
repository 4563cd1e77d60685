import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Streams

/// Tests of what other threads see of a gate's bias. `GateTests` has what a biased gate has in
/// common with others.
@Suite(.enabled("this system has a barrier for all threads", { ProcessBarrier.isAvailable }))
struct GateBiasTests {
  let log = CallLog()

  // MARK: Getting it

  @Test func aGateThatOneThreadUsesOftenBecomesBiased() {
    let passage = Passage()
    for _ in 1..<GateBias.streak { passage.enterAndLeaveUndisturbed() }
    #expect(!passage.isBiased)
    passage.enterAndLeaveUndisturbed()
    passage.enterAndLeaveUndisturbed()
    #expect(passage.isBiased)
    #expect(passage.bias == GateBias.outside(ThreadID.current))
  }

  @Test func aGateThatTwoThreadsUseInTurnDoesNot() {
    let passage = Passage()
    for _ in 0..<3 {
      for _ in 1..<GateBias.streak { passage.enterAndLeaveUndisturbed() }
      #expect(!passage.isBiased)
      onAnotherThread { passage.enterAndLeaveUndisturbed() }
    }
  }

  @Test func aThreadThatIsWaitedForDoesNotGetIt() {
    let passage = Passage()
    for _ in 1...GateBias.streak { passage.enterAndLeaveUndisturbed() }
    #expect(passage.enter())
    onAnotherThread { #expect(!passage.enterOrDelegate()) }
    #expect(!passage.leaveUndisturbed())
    #expect(passage.isMine)
    passage.leave { [log] in
      #expect(!passage.enter())
      log.append("chores")
    }
    #expect(log.lines == ["chores"])
    #expect(passage.word == 0)
    #expect(passage.bias == ThreadID.current)
  }

  // MARK: Using it

  @Test func onlyTheOwnersWordSaysThatItIsInside() {
    let passage = Passage(.biased)
    #expect(passage.enter())
    #expect(passage.isBiased)
    #expect(passage.bias == GateBias.inside(ThreadID.current))
    onAnotherThread { #expect(!passage.isMine) }
    #expect(passage.leaveUndisturbed())
    #expect(passage.isBiased)
    #expect(passage.bias == GateBias.outside(ThreadID.current))
  }

  @Test func theOwnerEntersIfEmpty() {
    let passage = Passage(.biased)
    #expect(passage.enterIfEmpty())
    #expect(passage.isMine)
    #expect(!passage.enterIfEmpty())
    passage.leave()
    #expect(passage.isBiased)
    #expect(!passage.isMine)
    onAnotherThread { #expect(!passage.enterIfEmpty()) }
    #expect(passage.isBiased)
  }

  @Test func choresOfItsOwnDoNotCostTheOwnerItsBias() {
    let passage = Passage(.biased)
    #expect(passage.enterOrDelegate())
    #expect(!passage.hasChores)
    #expect(!passage.enterOrDelegate())
    #expect(passage.hasChores)
    #expect(passage.isMine)
    #expect(!passage.enter())
    #expect(!passage.leaveUndisturbed())
    passage.leave { [log] in
      log.append("chores, inside: \(passage.isMine), more: \(passage.hasChores)")
      if log.lines.count == 1 { #expect(!passage.enterOrDelegate()) }
    }
    #expect(
      log.lines == ["chores, inside: true, more: false", "chores, inside: true, more: false"])
    #expect(passage.isBiased)
    #expect(!passage.isMine)
  }

  // MARK: Losing it

  @Test func anotherThreadTakesItAwayForGood() {
    let passage = Passage(.biased)
    onAnotherThread {
      #expect(passage.enter())
      #expect(passage.isMine)
      #expect(passage.word == ThreadID.current)
      #expect(passage.leaveUndisturbed())
    }
    #expect(passage.word == 0)
    passage.useOften()
    #expect(passage.bias == GateBias.retired)
    passage.useOften()
    #expect(passage.word == 0)
    #expect(passage.bias == GateBias.retired)
  }

  @Test func aThreadThatWouldDelegateTakesItAwayAndEnters() {
    let passage = Passage(.biased)
    onAnotherThread { [log] in
      #expect(passage.enterOrDelegate())
      passage.leave { log.append("more chores") }
    }
    #expect(log.lines.isEmpty)
    #expect(passage.word == 0)
  }

  @Test func theOwnerInsideDoesTheChoresOfTheThreadThatTakesItAway() {
    let passage = Passage(.biased)
    let me = ThreadID.current
    #expect(passage.enter())
    onAnotherThread { #expect(!passage.enterOrDelegate()) }
    #expect(passage.word == me | Gate.chores)
    #expect(passage.isMine)
    #expect(passage.hasChores)
    #expect(!passage.enter())
    #expect(!passage.leaveUndisturbed())
    passage.leave { [log] in log.append("chores, inside: \(passage.isMine)") }
    #expect(log.lines == ["chores, inside: true"])
    #expect(passage.word == 0)
    #expect(passage.bias == GateBias.retired)
  }

  @Test func choresOfItsOwnAreDoneAlsoAfterItIsTakenAway() {
    let passage = Passage(.biased)
    #expect(passage.enter())
    #expect(!passage.enterOrDelegate())
    onAnotherThread { #expect(!passage.enterOrDelegate()) }
    passage.leave { [log] in log.append("chores") }
    #expect(log.lines == ["chores", "chores"])
    #expect(passage.word == 0)
  }

  @Test func aThreadWaitsUntilTheOwnerHasLeft() {
    let passage = Passage(.biased)
    let hasEntered = DispatchSemaphore(value: 0)
    #expect(passage.enter())
    let thread = Thread { [log] in
      #expect(passage.enter())
      log.append("the other is inside")
      passage.leave()
      hasEntered.signal()
    }
    thread.start()
    // The flag shows that the other thread is about to wait.
    while passage.word & Gate.waiters == 0 { Thread.sleep(forTimeInterval: 0.001) }
    log.append("the owner leaves")
    passage.leave()
    #expect(hasEntered.wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines == ["the owner leaves", "the other is inside"])
    #expect(passage.word == 0)
  }

  // MARK: When the two threads meet

  @Test func anOwnerThatEntersBeforeTheOtherThreadHasLookedIsInside() {
    let passage = Passage(.biased)
    passage.pretend(Gate.revoking)
    #expect(passage.enter())
    #expect(passage.word == ThreadID.current)
    #expect(passage.bias == GateBias.retired)
    #expect(passage.leaveUndisturbed())
    #expect(passage.word == 0)
  }

  @Test func anOwnerThatTheOtherThreadTookToBeInsideIsInside() {
    let passage = Passage(.biased)
    passage.pretend(ThreadID.current | Gate.chores)
    #expect(passage.enter())
    #expect(passage.bias == GateBias.retired)
    #expect(!passage.leaveUndisturbed())
    passage.leave { [log] in log.append("chores") }
    #expect(log.lines == ["chores"])
    #expect(passage.word == 0)
  }

  @Test func anOwnerThatTheOtherThreadTookToBeOutsideIsOutside() {
    let passage = Passage(.biased)
    let other: UInt = 1 << 12
    passage.pretend(other)
    #expect(!passage.enterIfEmpty())
    #expect(!passage.isMine)
    #expect(passage.word == other)
    #expect(passage.bias == GateBias.retired)
    #expect(!passage.enterOrDelegate())
    #expect(passage.word == other | Gate.chores)
  }

  @Test func anOwnerThatLeavesBeforeTheOtherThreadHasLookedHasLeft() {
    let passage = Passage(.biased)
    #expect(passage.enter())
    passage.pretend(Gate.revoking)
    #expect(passage.leaveUndisturbed())
    #expect(passage.word == 0)
    #expect(passage.bias == GateBias.retired)
  }

  @Test func anOwnerThatLeavesFindsTheChoresOfAThirdThread() {
    let passage = Passage(.biased)
    #expect(passage.enter())
    passage.pretend(Gate.revoking)
    onAnotherThread { #expect(!passage.enterOrDelegate()) }
    #expect(passage.word == Gate.revoking | Gate.chores)
    passage.leave { [log] in log.append("chores, inside: \(passage.isMine)") }
    #expect(log.lines == ["chores, inside: true"])
    #expect(passage.word == 0)
  }

  @Test func anOwnerThatWasReplacedWhileItLeftHasLeft() {
    let passage = Passage(.biased)
    let other: UInt = 1 << 12
    passage.pretend(other | Gate.waiters)
    #expect(passage.leaveRevoked())
    #expect(passage.word == other | Gate.waiters)
    #expect(passage.bias == GateBias.retired)
  }

  // MARK: Under threads

  /// A plain variable, because the gate guards it.
  final class Counter: @unchecked Sendable {
    var count = 0
    var isOccupied = false
    var overlaps = 0

    func increment() {
      if isOccupied { overlaps += 1 }
      isOccupied = true
      count += 1
      isOccupied = false
    }
  }

  @Test func oneThreadIsInsideWhileTheBiasIsTakenAway() {
    let counter = Counter()
    let turns = Duel.run(rounds: 300) { passage in
      passage.enterAndLeave { counter.increment() }
    } other: { passage in
      for _ in 0..<3 { passage.enterAndLeave { counter.increment() } }
    }
    #expect(counter.overlaps == 0)
    #expect(counter.count == turns + 900)
  }

  @Test func noChoreIsMissedWhileTheBiasIsTakenAway() {
    let counter = Counter()
    let asked = Locked(0)
    @Sendable func doChores() {
      for _ in 0..<asked.withLock({ $0.take() }) { counter.increment() }
    }
    _ = Duel.run(rounds: 300) { passage in
      if passage.enter(), !passage.leaveUndisturbed() { passage.leave { doChores() } }
    } other: { passage in
      for _ in 0..<3 {
        asked.withLock { $0 += 1 }
        if passage.enterOrDelegate() {
          doChores()
          passage.leave { doChores() }
        }
      }
    }
    #expect(counter.overlaps == 0)
    #expect(counter.count == 900)
  }

  /// Without the flag of the one that waits, it would wait forever.
  @Test func aThreadThatComesWhileAnotherTakesTheBiasAwayIsWoken() {
    let counter = Counter()
    for _ in 0..<300 {
      let passage = Passage(.biased)
      let progress = Progress()
      onThreads(2) { thread in
        progress.turns.add(1, ordering: .relaxed)
        while progress.turns.load(ordering: .relaxed) < 2 { sched_yield() }
        if thread == 0 {
          passage.enterAndLeave { counter.increment() }
        } else if passage.enterOrDelegate() {
          if !passage.leaveUndisturbed() { passage.leave() }
        }
      }
    }
    #expect(counter.overlaps == 0)
    #expect(counter.count == 300)
  }

  @Test func noChoreIsMissedOfAThreadThatComesWhileAnotherTakesTheBiasAway() {
    let counter = Counter()
    for _ in 0..<300 {
      let passage = Passage(.biased)
      let asked = Locked(0)
      let progress = Progress()
      @Sendable func doChores() {
        for _ in 0..<asked.withLock({ $0.take() }) { counter.increment() }
      }
      onThreads(2) { _ in
        // Both come within the time that taking the bias away takes.
        progress.turns.add(1, ordering: .relaxed)
        while progress.turns.load(ordering: .relaxed) < 2 { sched_yield() }
        asked.withLock { $0 += 1 }
        if passage.enterOrDelegate() {
          doChores()
          passage.leave { doChores() }
        }
      }
      #expect(asked.withLock { $0 } == 0)
    }
    #expect(counter.overlaps == 0)
    #expect(counter.count == 600)
  }
}

/// Two threads: one has the bias of a gate and uses it all the time, until the other has taken it
/// away. In each round with a new gate, because a gate has a bias only once.
private enum Duel {
  /// - Returns: How often the owner had its turn.
  static func run(
    rounds: Int, owner: @escaping @Sendable (Passage) -> Void,
    other: @escaping @Sendable (Passage) -> Void
  ) -> Int {
    let passages = (0..<rounds).map { _ in Passage() }
    let progress = Progress()
    onThreads(2) { thread in
      for (round, passage) in passages.enumerated() {
        if thread == 0 {
          passage.becomeBiased()
          progress.begin(round)
          repeat {
            owner(passage)
            progress.turns.add(1, ordering: .relaxed)
          } while !progress.hasEnded(round)
        } else {
          progress.waitForBeginning(of: round)
          // Come at different moments.
          for _ in 0..<(round % 50) { _ = passage.isMine }
          other(passage)
          progress.end(round)
        }
      }
    }
    return progress.turns.load(ordering: .relaxed)
  }
}

/// How far two threads are.
private final class Progress: Sendable {
  let begun = Atomic(-1)
  let ended = Atomic(-1)
  let turns = Atomic(0)

  func begin(_ round: Int) { begun.store(round, ordering: .releasing) }
  func end(_ round: Int) { ended.store(round, ordering: .releasing) }
  func hasEnded(_ round: Int) -> Bool { ended.load(ordering: .acquiring) >= round }

  /// Spins, because the two threads have to meet within nanoseconds.
  func waitForBeginning(of round: Int) {
    while begun.load(ordering: .acquiring) < round { sched_yield() }
  }
}

extension Int {
  fileprivate mutating func take() -> Int {
    defer { self = 0 }
    return self
  }
}
