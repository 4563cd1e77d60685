import TestSupport
import Testing

@testable import Streams

@Suite struct HandOverTests {
  /// A hand-over at a fixed address, because it's in an object. The test's thread attaches.
  final class Attachment: Sendable {
    private let handOver = HandOver()

    var isOver: Bool { handOver.word.load(ordering: .acquiring) == ThreadID.none }
    var isMine: Bool { handOver.isMine }
    func leaveToAttacher() -> Bool { handOver.leaveWork() }
    func end(_ doLeftWork: () -> Void) { handOver.end(doLeftWork) }
  }

  let attachment = Attachment()
  let log = CallLog()

  @Test func belongsToTheThreadThatBeginsIt() {
    #expect(attachment.isMine)
    #expect(!attachment.isOver)
    onAnotherThread { [attachment] in
      #expect(!attachment.isMine)
      #expect(!attachment.isOver)
    }
    attachment.end { Issue.record("no work was left") }
    #expect(!attachment.isMine)
    #expect(attachment.isOver)
  }

  @Test func theAttachingThreadDoesTheWorkLeftToIt() {
    onAnotherThread { [attachment] in
      #expect(attachment.leaveToAttacher())
      #expect(attachment.leaveToAttacher())
    }
    #expect(attachment.isMine)
    attachment.end { [log, attachment] in log.append("over: \(attachment.isOver)") }
    expectEqual(log.lines, ["over: false"])
    #expect(attachment.isOver)
  }

  @Test func workAddedDuringThatWorkIsDoneToo() {
    #expect(attachment.leaveToAttacher())
    attachment.end { [log, attachment] in
      log.append("left work")
      if log.lines.count < 3 {
        onAnotherThread { #expect(attachment.leaveToAttacher()) }
      }
    }
    expectEqual(log.lines, ["left work", "left work", "left work"])
  }

  @Test func afterTheEndNoWorkCanBeLeftForTheAttachingThread() {
    attachment.end {}
    #expect(!attachment.leaveToAttacher())
    onAnotherThread { [attachment] in #expect(!attachment.leaveToAttacher()) }
  }

  @Test func everythingLeftToTheAttacherIsDone() {
    for _ in 0..<200 {
      let left = Locked(0)
      let done = Locked(0)
      let attachments = Locked<Attachment?>(nil)
      @Sendable func work() {
        done.withLock {
          $0 += left.withLock { count in
            defer { count = 0 }; return count
          }
        }
      }
      onThreads(3) { thread in
        if thread == 0 {
          let attachment = Attachment()
          attachments.withLock { $0 = attachment }
          attachment.end(work)
        } else {
          var attachment: Attachment?
          while attachment == nil { attachment = attachments.withLock { $0 } }
          for _ in 0..<20 {
            left.withLock { $0 += 1 }
            if attachment?.leaveToAttacher() == false { work() }
          }
        }
      }
      expectEqual(done.withLock { $0 }, 40)
    }
  }
}
