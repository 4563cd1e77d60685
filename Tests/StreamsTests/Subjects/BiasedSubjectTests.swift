import Dispatch
import Foundation
import Streams
import TestSupport
import Testing

/// A subject that one thread uses a lot is biased towards that thread. These tests let another
/// thread come, and compare what arrives with what a new subject does.
struct BiasedSubjectTests {
  enum Past: CaseIterable, Sendable {
    case new, usedByThisThread, usedByThisThreadAndThenByAnother

    /// Sends as many values as it takes, and more.
    func use(_ send: @escaping @Sendable () -> Void) {
      guard self != .new else { return }
      for _ in 0..<2 {
        for _ in 0..<1500 { send() }
        // The first subject in the process may have to wait for the system.
        Thread.sleep(forTimeInterval: 0.02)
      }
      for _ in 0..<1500 { send() }
      if self == .usedByThisThreadAndThenByAnother { onAnotherThread { send() } }
    }
  }

  @Test(arguments: Past.allCases)
  func aSendOfAnotherThreadWaitsForADeliveryThatARequestBegan(past: Past) {
    let subject = CurrentValueSubject<Int, Never>(0)
    past.use { subject.send(0) }
    let log = CallLog()
    let history = History<Int, Never>(demand: .none)
    let other = DispatchSemaphore(value: 0)
    subject.subscribe(history)
    history.onValue = { value in
      log.append("begin \(value)")
      if value == 0 {
        subject.send(1)
        Thread.detachNewThread {
          subject.send(2)
          log.append("the other thread has sent")
          other.signal()
        }
        // Long enough for a send that doesn't wait.
        Thread.sleep(forTimeInterval: 0.05)
      }
      log.append("end \(value)")
      return .none
    }
    history.request(.max(3))
    #expect(other.wait(timeout: .now() + .hangLimit) == .success)
    #expect(
      log.lines == ["begin 0", "begin 1", "end 1", "end 0", "begin 2", "end 2"]
        + ["the other thread has sent"])
  }

  @Test(arguments: Past.allCases)
  func aCancellationByAnotherThreadDuringADeliveryIsAttendedTo(past: Past) {
    let subject = PassthroughSubject<Int, Never>()
    past.use { subject.send(0) }
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
    #expect(log.lines == ["first 1", "second released", "sent", "first 2"])
  }
}
