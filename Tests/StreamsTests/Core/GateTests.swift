import TestSupport
import Testing

@testable import Streams

/// Each test runs with a gate that was never used, one that is biased towards the testing thread,
/// and one that was.
struct GateTests {
  let log = CallLog()

  @Test(arguments: Passage.Past.allCases)
  func aThreadThatIsInsideDoesNotEnterAgain(past: Passage.Past) {
    let passage = Passage(past)
    #expect(!passage.isMine)
    #expect(passage.enter())
    #expect(passage.isMine)
    #expect(!passage.enter())
    passage.leave()
    #expect(!passage.isMine)
    #expect(passage.enter())
    #expect(passage.leaveUndisturbed())
    #expect(!passage.isMine)
  }

  @Test(arguments: Passage.Past.allCases)
  func aThreadThatEnteredAnEmptyGateDoesNotEnterAgain(past: Passage.Past) {
    let passage = Passage(past)
    #expect(passage.enterIfEmpty())
    #expect(!passage.enter())
    #expect(!passage.enterIfEmpty())
    #expect(!passage.enterOrDelegate())
    #expect(passage.isMine)
    passage.leave { [log] in log.append("chores") }
    #expect(log.lines == ["chores"])
    #expect(!passage.isMine)
  }

  @Test(arguments: Passage.Past.allCases)
  func aThreadThatEntersAnEmptyGateKeepsOthersOut(past: Passage.Past) {
    let passage = Passage(past)
    #expect(passage.enterIfEmpty())
    onAnotherThread { #expect(!passage.enterIfEmpty()) }
    #expect(passage.leaveUndisturbed())
    onAnotherThread { passage.enterAndLeave {} }
  }

  @Test(arguments: Passage.Past.allCases)
  func isMineOnlyOnTheThreadThatEntered(past: Passage.Past) {
    let passage = Passage(past)
    #expect(passage.enter())
    onAnotherThread { [passage] in #expect(!passage.isMine) }
    passage.leave()
  }

  @Test(arguments: Passage.Past.allCases)
  func theThreadInsideDoesTheChoresBeforeItLeaves(past: Passage.Past) {
    let passage = Passage(past)
    #expect(passage.enter())
    onAnotherThread { [passage] in #expect(!passage.enterOrDelegate()) }
    // The other thread left chores, so this one can't leave without doing them.
    #expect(passage.isMine)
    #expect(!passage.leaveUndisturbed())
    passage.leave { [log, passage] in
      log.append("chores, inside: \(passage.isMine)")
    }
    #expect(log.lines == ["chores, inside: true"])
    #expect(!passage.isMine)
  }

  @Test(arguments: Passage.Past.allCases)
  func aThreadThatFindsTheGateEmptyDoesTheChoresItself(past: Passage.Past) {
    let passage = Passage(past)
    #expect(passage.enterOrDelegate())
    #expect(passage.isMine)
    #expect(!passage.enterOrDelegate())
    passage.leave { [log] in log.append("chores") }
    #expect(log.lines == ["chores"])
  }

  @Test(arguments: Passage.Past.allCases)
  func choresAddedDuringChoresAreDoneToo(past: Passage.Past) {
    let passage = Passage(past)
    #expect(passage.enter())
    #expect(!passage.enterOrDelegate())
    passage.leave { [log, passage] in
      log.append("chores")
      if log.lines.count < 3 {
        onAnotherThread { #expect(!passage.enterOrDelegate()) }
      }
    }
    #expect(log.lines == ["chores", "chores", "chores"])
    #expect(passage.enter())
    #expect(passage.leaveUndisturbed())
  }

  @Test(arguments: Passage.Past.allCases)
  func aSecondThreadWaitsUntilTheFirstHasLeft(past: Passage.Past) {
    let passage = Passage(past)
    onThreads(2) { [passage, log] thread in
      passage.enterAndLeave {
        log.append("begin")
        passage.enterAndLeave { log.append("nested") }
        log.append("end")
      }
    }
    #expect(log.lines == ["begin", "nested", "end", "begin", "nested", "end"])
  }

  @Test(arguments: Passage.Past.allCases)
  func oneThreadIsInsideAtATime(past: Passage.Past) {
    let passage = Passage(past)
    // A plain variable, because the gate guards it.
    final class Counter: @unchecked Sendable { var count = 0 }
    let counter = Counter()
    onThreads(4) { [passage] _ in
      for _ in 0..<5000 { passage.enterAndLeave { counter.count += 1 } }
    }
    #expect(counter.count == 20_000)
  }

  @Test(arguments: Passage.Past.allCases)
  func noChoreIsMissed(past: Passage.Past) {
    let passage = Passage(past)
    final class Counter: @unchecked Sendable {
      let asked = Locked(0)
      var done = 0
      func doChores() {
        done += asked.withLock { asked in
          defer { asked = 0 }
          return asked
        }
      }
    }
    let counter = Counter()
    onThreads(4) { [passage] thread in
      for _ in 0..<3000 {
        if thread.isMultiple(of: 2) {
          let wasOutside = passage.enter()
          if wasOutside, !passage.leaveUndisturbed() {
            passage.leave { counter.doChores() }
          }
        } else {
          counter.asked.withLock { $0 += 1 }
          if passage.enterOrDelegate() {
            counter.doChores()
            passage.leave { counter.doChores() }
          }
        }
      }
    }
    #expect(counter.done == 6000)
    #expect(counter.asked.withLock { $0 } == 0)
  }

  @Test(arguments: Passage.Past.allCases)
  func gatesShareTheirWaitingRoomsAndNothingElse(past: Passage.Past) {
    // Use more gates than there are waiting rooms.
    let passages = (0..<40).map { _ in Passage(past) }
    let counts = Locked([Int](repeating: 0, count: 40))
    onThreads(4) { _ in
      for _ in 0..<50 {
        for (index, passage) in passages.enumerated() {
          passage.enterAndLeave {
            counts.withLock { $0[index] += 1 }
          }
        }
      }
    }
    #expect(counts.withLock { $0 } == [Int](repeating: 200, count: 40))
  }
}
