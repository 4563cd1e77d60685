import Foundation
import Streams
import TestSupport
import Testing

/// Tests subjects whose values, requests and cancellations come from two threads.
struct SubjectThreadTests {
  @Test func aSendOfAnotherThreadWaitsForADeliveryThatARequestBegan() {
    for _ in 0..<200 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let log = CallLog()
      let history = History<Int, Never>(demand: .none)
      history.onValue = { value in
        log.append("begin \(value)")
        sched_yield()
        log.append("end \(value)")
        return .none
      }
      subject.subscribe(history)
      onThreads(2) { thread in
        if thread == 0 { history.request(.max(2)) } else { subject.send(1) }
      }
      // The request may come before the value, after it, or between them.
      let both = ["begin 0", "end 0", "begin 1", "end 1"]
      #expect(log.lines == both || log.lines == ["begin 1", "end 1"])
    }
  }

  @Test func aCancellationByAnotherThreadDuringADeliveryIsNoticed() {
    let subject = PassthroughSubject<Int, Never>()
    let log = CallLog()
    let second = Locked<AnyCancellable?>(nil)
    let first = subject.sink { value in
      log.append("first \(value)")
      onAnotherThread { second.withLock { $0.take() }?.cancel() }
    }
    second.withLock {
      $0 = subject.sink { [token = Token { log.append("second released") }] in
        token.touch()
        log.append("second \($0)")
      }
    }
    subject.send(1)
    log.append("sent")
    subject.send(2)
    first.cancel()
    expectEqual(log.lines, ["first 1", "second released", "sent", "first 2"])
  }
}
