import Foundation
import Streams
import TestSupport
import Testing

@Suite struct PassthroughSubjectTests {
  typealias IntSubject = PassthroughSubject<Int, TestError>

  @Test func sendsEachValueToTheSubscribersThatRequestedIt() {
    let subject = IntSubject()
    let first = subject.history()
    subject.send(1)
    let second = subject.history(demand: .max(1))
    subject.send(2)
    subject.send(3)
    subject.send(completion: .finished)
    expectEqual(
      first.events,
      [.subscription("PassthroughSubject"), .value(1), .value(2), .value(3), .finished])
    expectEqual(second.events, [.subscription("PassthroughSubject"), .value(2), .finished])
  }

  @Test func onlyASubscriberWithoutDemandMissesTheValue() {
    let subject = IntSubject()
    let idle = subject.history(demand: .none)
    let busy = subject.history(demand: .max(1), perValue: .max(1))
    subject.send(1)
    idle.request(1)
    subject.send(2)
    subject.send(3)
    expectEqual(idle.events, [.subscription("PassthroughSubject"), .value(2)])
    expectEqual(
      busy.events, [.subscription("PassthroughSubject"), .value(1), .value(2), .value(3)])
  }

  @Test func aLateSubscriberGetsTheCompletion() {
    let subject = IntSubject()
    subject.send(completion: .failure("over"))
    subject.send(completion: .finished)
    subject.send(1)
    expectEqual(subject.history().events, [.subscription("Empty"), .failure("over")])
  }

  @Test(arguments: [false, true])
  func aNestedSendIsDeliveredAtOnceAndReachesLaterSubscribersFirst(hasValue: Bool) {
    let subject: any Subject<Int, TestError> = hasValue ? CurrentValueSubject(0) : IntSubject()
    let first = subject.history()
    let second = subject.history()
    first.onValue = { value in
      if value == 1 { subject.send(2) }
      return .none
    }
    subject.send(1)
    expectEqual(first.values, (hasValue ? [0] : []) + [1, 2])
    expectEqual(second.values, (hasValue ? [0] : []) + [2, 1])
    first.onValue = nil
  }

  @Test func aSubscriberAddedDuringASendMissesThatValueAndGetsANestedOne() {
    let subject = IntSubject()
    let newcomer = History<Int, TestError>()
    let first = subject.history()
    first.onValue = { value in
      if value == 1 {
        subject.subscribe(newcomer)
        subject.send(2)
      }
      return .none
    }
    subject.send(1)
    subject.send(3)
    expectEqual(newcomer.values, [2, 3])
    expectEqual(first.values, [1, 2, 3])
  }

  @Test func aSubscriberCancelledDuringASendGetsNothingMore() {
    let subject = IntSubject()
    let first = subject.history()
    let second = subject.history()
    first.onValue = { _ in
      second.cancel()
      return .none
    }
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    expectEqual(first.events.count, 4)
    expectEqual(second.events, [.subscription("PassthroughSubject")])
  }

  @Test func aCompletionDuringASendReachesLaterSubscribersInsteadOfTheValue() {
    let subject = IntSubject()
    let first = subject.history()
    let second = subject.history()
    first.onValue = { _ in
      subject.send(completion: .finished)
      return .none
    }
    subject.send(1)
    expectEqual(first.events, [.subscription("PassthroughSubject"), .value(1), .finished])
    expectEqual(second.events, [.subscription("PassthroughSubject"), .finished])
  }

  @Test func aRequestFromInsideADeliveryAddsToTheReturnedDemand() {
    let subject = IntSubject()
    let history = subject.history(demand: .max(1))
    history.onValue = { value in
      if value == 1 {
        history.request(1)
        return .max(1)
      }
      return .none
    }
    for value in 1...5 { subject.send(value) }
    expectEqual(history.values, [1, 2, 3])
  }

  @Test func requestsUnlimitedValuesOnceASubscriberHasDemand() {
    let subject = IntSubject()
    let early = ScriptedSubscription()
    subject.send(subscription: early)
    expectEqual(early.calls, [])
    let history = subject.history(demand: .none)
    expectEqual(early.calls, [])
    history.request(1)
    history.request(1)
    let late = ScriptedSubscription()
    subject.send(subscription: late)
    expectEqual(early.calls, [.request(.unlimited)])
    expectEqual(late.calls, [.request(.unlimited)])
  }

  @Test func theOrderOfSubscribersSurvivesManyJoinsAndCancellations() {
    let subject = IntSubject()
    let log = CallLog()
    let histories = (0..<20).map { index in
      let history = History<Int, TestError>(name: "\(index)", log: log)
      subject.subscribe(history)
      return history
    }
    for index in 0..<20 where !index.isMultiple(of: 3) { histories[index].cancel() }
    subject.subscribe(histories[1])
    log.removeAll()
    subject.send(7)
    expectEqual(log.lines, [0, 3, 6, 9, 12, 15, 18, 1].map { "\($0): value 7" })
  }

  @Test func manySubscribersMayJoinAndCancelDuringASend() {
    let subject = IntSubject()
    let first = History<Int, TestError>()
    var histories = (0..<10).map { _ in History<Int, TestError>() }
    first.onValue = { value in
      if value == 1 {
        for history in histories { history.cancel() }
        let newcomers = (0..<10).map { _ in subject.history() }
        subject.send(2)
        histories.append(contentsOf: newcomers)
      }
      return .none
    }
    subject.subscribe(first)
    for history in histories { subject.subscribe(history) }
    let last = subject.history()
    subject.send(1)
    subject.send(3)
    expectEqual(first.values, [1, 2, 3])
    expectEqual(
      histories.map(\.values),
      Array(repeating: [], count: 10)
        + Array(repeating: [2, 3], count: 10))
    expectEqual(last.values, [2, 1, 3])
  }

  @Test(arguments: [false, true])
  func aSubscriberAddedDuringASendGetsTheSendersNextValue(hasValue: Bool) {
    let subject: any Subject<Int, Never> & Sendable =
      hasValue ? CurrentValueSubject(0) : PassthroughSubject()
    let slow = SlowSubscriber<Never>(stopsAt: 1) { subject.send(2) }
    subject.subscribe(slow.history)
    slow.onSenderThread { subject.send(1) }
    let newcomer = subject.history()
    slow.goOn()
    expectEqual(newcomer.values, hasValue ? [1, 2] : [2])
    expectEqual(slow.history.values, (hasValue ? [0] : []) + [1, 2])
  }

  @Test func aSubscriberAddedBetweenACompletionAndItsDeliveryGetsIt() {
    let subject = PassthroughSubject<Int, Never>()
    let slow = SlowSubscriber<Never>(stopsAt: 1) { subject.send(completion: .finished) }
    subject.subscribe(slow.history)
    slow.onSenderThread { subject.send(1) }
    let newcomer = subject.history(demand: .none)
    slow.goOn()
    expectEqual(newcomer.events, [.subscription("PassthroughSubject"), .finished])
  }

  @Test(arguments: [true, false])
  func aCompletionFromAnotherThreadWaitsForTheSubscription(hasValue: Bool) {
    let passthrough = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(1)
    let subject =
      hasValue ? current.eraseToAnyPublisher() : passthrough.eraseToAnyPublisher()
    // Only one thread at a time uses them.
    nonisolated(unsafe) let complete = {
      current.send(completion: .finished)
      passthrough.send(completion: .finished)
    }
    let events = subject.handleEvents(receiveSubscription: { _ in
      let sent = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        complete()
        sent.signal()
      }
      sent.wait()
    }).history().events
    expectEqual(events, [.subscription("HandleEvents"), .finished])
  }

  @Test func requestingZeroValuesIsAProgrammingError() async {
    await #expect(processExitsWith: .failure) {
      PassthroughSubject<Int, Never>().history(demand: .max(1)).request(.none)
    }
  }

  @Test func threadsSeeOneOrder() async {
    let subject = PassthroughSubject<Int, Never>()
    let first = subject.history()
    let second = subject.history()
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for value in 0..<500 { subject.send(thread * 1000 + value) }
        }
      }
    }
    expectEqual(first.values, second.values)
    expectEqual(first.values.count, 2000)
    for thread in 0..<4 {
      let own = first.values.filter { $0 / 1000 == thread }
      expectEqual(own, (0..<500).map { thread * 1000 + $0 })
    }
  }

  @Test func threadsMaySubscribeAndCancelWhileOthersSend() async {
    let subject = PassthroughSubject<Int, Never>()
    let witness = subject.history()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask { for value in 0..<1000 { subject.send(value) } }
        group.addTask {
          for _ in 0..<300 {
            let cancellable = subject.sink { _ in }
            cancellable.cancel()
          }
        }
      }
    }
    expectEqual(witness.values.count, 2000)
    subject.send(completion: .finished)
    expectEqual(witness.completion, .finished)
  }
}
