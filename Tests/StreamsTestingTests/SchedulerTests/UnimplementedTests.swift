import Streams
import StreamsExtras
import StreamsTesting
import TestSupport
import Testing

struct UnimplementedTests {
  private typealias Queue = AnySchedulerOf<DispatchQueue>

  private static func message(_ use: String, line: Int) -> String {
    "UnimplementedTests.swift:\(line): The unimplemented scheduler that was made here was \(use). "
      + "If this is right, pass one that runs actions, such as "
      + "`clock.scheduler(as: DispatchQueue.self)` or `.immediate`."
  }

  @Test func isSilentIfItIsNotUsed() {
    let issues = collectIssues {
      let scheduler = Queue.unimplemented()
      #expect(scheduler.minimumTolerance == 0)
    }
    #expect(issues == [])
  }

  @Test func reportsEachWayToUseIt() {
    let moment = DispatchQueue.SchedulerTimeType(virtualTime: .zero)
    let line = #line + 2
    let issues = collectIssues {
      _ = Queue.unimplemented().now
      Queue.unimplemented().schedule { Issue.record("ran") }
      Queue.unimplemented().schedule(after: moment) { Issue.record("ran") }
      _ = Queue.unimplemented().schedule(after: moment, interval: 1) { Issue.record("ran") }
    }
    #expect(
      issues == [
        Self.message("asked for the time", line: line),
        Self.message("asked to run an action", line: line + 1),
        Self.message("asked to run an action later", line: line + 2),
        Self.message("asked to repeat an action", line: line + 3),
      ])
  }

  @Test func reportsOnlyItsFirstUse() {
    let line = #line + 2
    let issues = collectIssues {
      let scheduler = Queue.unimplemented()
      let subject = PassthroughSubject<Int, Never>()
      let history = subject.debounce(for: 1, scheduler: scheduler).history()
      subject.send(1)
      subject.send(2)
      #expect(history.values == [])
    }
    #expect(issues == [Self.message("asked for the time", line: line)])
  }

  @Test func reportsAUseOnAnotherThread() {
    let line = #line + 2
    let issues = collectIssues {
      let scheduler = Queue.unimplemented()
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        scheduler.schedule {}
        isDone.signal()
      }
      isDone.wait()
    }
    #expect(issues == [Self.message("asked to run an action", line: line)])
  }
}
