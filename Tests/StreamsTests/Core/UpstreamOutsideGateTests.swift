import Dispatch
import Foundation
import Streams
import TestSupport
import Testing

/// Tests that `zip` and `combineLatest` call upstream outside their gate, because upstream may wait
/// for a thread that waits to deliver to them.
struct UpstreamOutsideGateTests {
  enum Operator: CaseIterable, Sendable {
    case zip, combineLatest

    func combine(
      _ a: AnyPublisher<Int, TestError>, _ b: AnyPublisher<Int, TestError>
    ) -> AnyPublisher<[Int], TestError> {
      switch self {
      case .zip: a.zip(b) { [$0, $1] }.eraseToAnyPublisher()
      case .combineLatest: a.combineLatest(b) { [$0, $1] }.eraseToAnyPublisher()
      }
    }
  }

  @Test func aRequestAfterAPairDoesNotWaitForAnotherThread() {
    let meeting = Meeting()
    let a = meeting.a.handleEvents(receiveRequest: { _ in meeting.waitForA() })
    let history = History<[Int], TestError>(demand: .max(2), perValue: .max(1))
    Operator.zip.combine(a.eraseToAnyPublisher(), meeting.b.eraseToAnyPublisher())
      .subscribe(history)
    meeting.a.send(1)
    meeting.isArmed.withLock { $0 = true }
    // The value completes a pair, so the demand for another one goes to `a`.
    meeting.b.send(1)
    #expect(meeting.hasMet)
    meeting.b.send(2)
    expectEqual(history.lines.dropFirst(), ["value [1, 1]", "value [2, 2]"])
  }

  @Test(arguments: Operator.allCases)
  func aRequestAfterTheSubscriptionDoesNotWaitForAnotherThread(name: Operator) {
    let meeting = Meeting()
    let history = History<[Int], TestError>()
    let b = meeting.b.handleEvents(receiveRequest: { _ in meeting.waitForA() })
    meeting.isArmed.withLock { $0 = true }
    name.combine(meeting.a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).subscribe(history)
    #expect(meeting.hasMet)
    meeting.b.send(1)
    expectEqual(history.lines.dropFirst(), ["value [2, 1]"])
  }

  @Test(
    arguments: Operator.allCases, [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func theCancellationAtTheEndDoesNotWaitForAnotherThread(
    name: Operator, completion: Subscribers.Completion<TestError>
  ) {
    let meeting = Meeting()
    let a = meeting.a.handleEvents(receiveCancel: { meeting.waitForA() })
    let history = name.combine(a.eraseToAnyPublisher(), meeting.b.eraseToAnyPublisher()).history()
    meeting.isArmed.withLock { $0 = true }
    meeting.b.send(completion: completion)
    // `combineLatest` continues until both have finished.
    let endsAtOnce = name == .zip || completion != .finished
    expectEqual(meeting.hasMet, endsAtOnce)
    expectEqual(
      history.lines.dropFirst(),
      (endsAtOnce ? [completion == .finished ? "finished" : "failure no more"] : []))
  }

  @Test(arguments: Operator.allCases)
  func theCancellationAfterAFailureWithinADeliveryDoesNotWaitForAnotherThread(name: Operator) {
    let meeting = Meeting()
    let a = meeting.a.handleEvents(receiveCancel: { meeting.waitForA() })
    let history = History<[Int], TestError>()
    history.onValue = { _ in
      meeting.isArmed.withLock { $0 = true }
      meeting.b.send(completion: .failure("no more"))
      return .none
    }
    name.combine(a.eraseToAnyPublisher(), meeting.b.eraseToAnyPublisher()).subscribe(history)
    meeting.a.send(1)
    meeting.b.send(1)
    #expect(meeting.hasMet)
    expectEqual(history.lines.dropFirst(), ["value [1, 1]", "failure no more"])
  }
}

/// Two subjects. While `b` delivers, the upstream side of `a` waits for a thread that sends a value
/// with `a`.
private final class Meeting: Sendable {
  let a = PassthroughSubject<Int, TestError>()
  let b = PassthroughSubject<Int, TestError>()

  /// Whether upstream waits at the next call.
  let isArmed = Locked(false)

  private let met = Locked(false)

  /// Whether upstream has waited, and the other thread's send has returned.
  var hasMet: Bool { met.withLock { $0 } }

  /// Sends a value with `a` on another thread, and waits until the send returns.
  func waitForA() {
    let wasArmed = isArmed.withLock { isArmed in
      defer { isArmed = false }
      return isArmed
    }
    guard wasArmed else { return }
    let isThrough = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      a.send(2)
      isThrough.signal()
    }
    let hasCome = isThrough.wait(timeout: .now() + .hangLimit) == .success
    met.withLock { $0 = hasCome }
  }
}
