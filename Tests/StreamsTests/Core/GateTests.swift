import TestSupport
import Testing

@testable import Streams

/// Tests who is inside a gate, and who acts on the notes.
struct GateTests {
  let log = CallLog()

  @Test func aThreadThatIsInsideDoesNotEnterAgain() {
    let passage = Passage()
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

  @Test func aThreadThatEnteredAnEmptyGateDoesNotEnterAgain() {
    let passage = Passage()
    #expect(passage.enterIfEmpty())
    #expect(!passage.enter())
    #expect(!passage.enterIfEmpty())
    #expect(!passage.enterOrLeaveNote())
    #expect(passage.isMine)
    passage.leave { [log] in log.append("notes") }
    expectEqual(log.lines, ["notes"])
    #expect(!passage.isMine)
  }

  @Test func aThreadThatEntersAnEmptyGateKeepsOthersOut() {
    let passage = Passage()
    #expect(passage.enterIfEmpty())
    onAnotherThread { #expect(!passage.enterIfEmpty()) }
    #expect(passage.leaveUndisturbed())
    onAnotherThread { passage.enterAndLeave {} }
  }

  @Test func theThreadInsideActsOnNotesBeforeItLeaves() {
    let passage = Passage()
    #expect(passage.enter())
    onAnotherThread { [passage] in #expect(!passage.enterOrLeaveNote()) }
    // The other thread left a note, so this one can't leave without acting on it.
    #expect(passage.isMine)
    #expect(!passage.leaveUndisturbed())
    passage.leave { [log, passage] in
      log.append("notes, inside: \(passage.isMine)")
    }
    expectEqual(log.lines, ["notes, inside: true"])
    #expect(!passage.isMine)
  }

  @Test func aThreadThatFindsTheGateEmptyActsOnItsNoteItself() {
    let passage = Passage()
    #expect(passage.enterOrLeaveNote())
    #expect(passage.isMine)
    #expect(!passage.enterOrLeaveNote())
    passage.leave { [log] in log.append("notes") }
    expectEqual(log.lines, ["notes"])
  }

  @Test func notesLeftDuringNotesAreActedOnToo() {
    let passage = Passage()
    #expect(passage.enter())
    #expect(!passage.enterOrLeaveNote())
    passage.leave { [log, passage] in
      log.append("notes")
      if log.lines.count < 3 {
        onAnotherThread { #expect(!passage.enterOrLeaveNote()) }
      }
    }
    expectEqual(log.lines, ["notes", "notes", "notes"])
    #expect(passage.enter())
    #expect(passage.leaveUndisturbed())
  }

  @Test func aSecondThreadWaitsUntilTheFirstHasLeft() {
    let passage = Passage()
    onThreads(2) { [passage, log] thread in
      passage.enterAndLeave {
        log.append("begin")
        passage.enterAndLeave { log.append("nested") }
        log.append("end")
      }
    }
    expectEqual(log.lines, ["begin", "nested", "end", "begin", "nested", "end"])
  }

  @Test func oneThreadIsInsideAtATime() {
    let passage = Passage()
    // A plain variable, because the gate guards it.
    final class Counter: @unchecked Sendable { var count = 0 }
    let counter = Counter()
    onThreads(4) { [passage] _ in
      for _ in 0..<5000 { passage.enterAndLeave { counter.count += 1 } }
    }
    expectEqual(counter.count, 20_000)
  }

  @Test func noChoreIsMissed() {
    let passage = Passage()
    final class Counter: @unchecked Sendable {
      let asked = Locked(0)
      var done = 0
      func actOnNotes() {
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
            passage.leave { counter.actOnNotes() }
          }
        } else {
          counter.asked.withLock { $0 += 1 }
          if passage.enterOrLeaveNote() {
            counter.actOnNotes()
            passage.leave { counter.actOnNotes() }
          }
        }
      }
    }
    expectEqual(counter.done, 6000)
    expectEqual(counter.asked.withLock { $0 }, 0)
  }

  @Test func gatesShareTheirWaitingRoomsAndNothingElse() {
    // Use more gates than there are waiting rooms.
    let passages = (0..<40).map { _ in Passage() }
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
    expectEqual(counts.withLock { $0 }, [Int](repeating: 200, count: 40))
  }
}
