import Dispatch
import Foundation
import Streams
import TestSupport
import Testing

/// `zip` and `combineLatest` call upstream outside their gate: upstream may wait for a thread that
/// waits to deliver to them.
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

  @Test func aRequestBehindAPairWaitsForNoThread() {
    let meeting = Meeting()
    let a = meeting.a.handleEvents(receiveRequest: { _ in meeting.waitForA() })
    let history = History<[Int], TestError>(demand: .max(2), perValue: .max(1))
    Operator.zip.combine(a.eraseToAnyPublisher(), meeting.b.eraseToAnyPublisher())
      .subscribe(history)
    meeting.a.send(1)
    meeting.isArmed.withLock { $0 = true }
    // The value completes a pair, and the demand for another one is passed on to `a`.
    meeting.b.send(1)
    #expect(meeting.hasMet)
    meeting.b.send(2)
    #expect(history.lines.dropFirst() == ["value [1, 1]", "value [2, 2]"])
  }

  @Test(arguments: Operator.allCases)
  func aRequestBehindTheSubscriptionWaitsForNoThread(name: Operator) {
    let meeting = Meeting()
    let history = History<[Int], TestError>()
    let b = meeting.b.handleEvents(receiveRequest: { _ in meeting.waitForA() })
    meeting.isArmed.withLock { $0 = true }
    name.combine(meeting.a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).subscribe(history)
    #expect(meeting.hasMet)
    meeting.b.send(1)
    #expect(history.lines.dropFirst() == ["value [2, 1]"])
  }

  @Test(
    arguments: Operator.allCases, [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func theCancellationAtTheEndWaitsForNoThread(
    name: Operator, completion: Subscribers.Completion<TestError>
  ) {
    let meeting = Meeting()
    let a = meeting.a.handleEvents(receiveCancel: { meeting.waitForA() })
    let history = name.combine(a.eraseToAnyPublisher(), meeting.b.eraseToAnyPublisher()).history()
    meeting.isArmed.withLock { $0 = true }
    meeting.b.send(completion: completion)
    // `combineLatest` goes on until both have finished.
    let endsAtOnce = name == .zip || completion != .finished
    #expect(meeting.hasMet == endsAtOnce)
    #expect(
      history.lines.dropFirst()
        == (endsAtOnce ? [completion == .finished ? "finished" : "failure no more"] : []))
  }

  @Test(arguments: Operator.allCases)
  func theCancellationAfterAFailureWithinADeliveryWaitsForNoThread(name: Operator) {
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
    #expect(history.lines.dropFirst() == ["value [1, 1]", "failure no more"])
  }
}

/// Two subjects, and a thread that upstream of one waits for: it sends a value with the other.
private final class Meeting: @unchecked Sendable {
  // Subjects may be used from all threads.
  let a = PassthroughSubject<Int, TestError>()
  let b = PassthroughSubject<Int, TestError>()

  /// Whether upstream is to wait, once.
  let isArmed = Locked(false)

  private let met = Locked(false)

  /// Whether upstream has waited, and the other thread came through.
  var hasMet: Bool { met.withLock { $0 } }

  /// Has another thread send with `a`, and waits for its return.
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
    let hasCome = isThrough.wait(timeout: .now() + .seconds(10)) == .success
    met.withLock { $0 = hasCome }
  }
}
