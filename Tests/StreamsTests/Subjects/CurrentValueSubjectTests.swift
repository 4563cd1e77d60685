import Streams
import TestSupport
import Testing

@Suite struct CurrentValueSubjectTests {
  typealias IntSubject = CurrentValueSubject<Int, TestError>

  @Test func sendsItsValueToEachNewSubscriberFirst() {
    let subject = IntSubject(0)
    let first = subject.history()
    subject.send(1)
    let second = subject.history()
    subject.value = 2
    subject.send(completion: .finished)
    expectEqual(
      first.events,
      [.subscription("CurrentValueSubject"), .value(0), .value(1), .value(2), .finished])
    expectEqual(
      second.events, [.subscription("CurrentValueSubject"), .value(1), .value(2), .finished])
    expectEqual(subject.value, 2)
  }

  @Test func deliversTheNewestMissedValueOnce() {
    let subject = IntSubject(0)
    let history = subject.history(demand: .max(1))
    for value in 1...3 { subject.send(value) }
    history.request(2)
    expectEqual(history.values, [0, 3])
    subject.send(4)
    subject.send(5)
    expectEqual(history.values, [0, 3, 4])
    history.request(.unlimited)
    history.request(.unlimited)
    expectEqual(history.values, [0, 3, 4, 5])
  }

  @Test func aRequestFromWithinADeliveryDeliversTheValueOnce() {
    let subject = IntSubject(0)
    let early = subject.history(demand: .max(1))
    let middle = History<Int, TestError>()
    let late = History<Int, TestError>(demand: .max(1))
    middle.onValue = { value in
      if value == 2 {
        early.request(2)
        late.request(2)
      }
      return .none
    }
    subject.subscribe(middle)
    subject.subscribe(late)
    // Only the middle subscriber gets this value.
    subject.send(1)
    subject.send(2)
    expectEqual(early.values, [0, 2])
    expectEqual(middle.values, [0, 1, 2])
    expectEqual(late.values, [0, 2])
    subject.send(3)
    expectEqual(early.values, [0, 2, 3])
    expectEqual(late.values, [0, 2, 3])
  }

  @Test func aRequestAfterANestedSendDeliversTheNewestValueAndNoOlderOne() {
    let subject = IntSubject(0)
    let first = History<Int, TestError>()
    let late = History<Int, TestError>(demand: .max(1))
    first.onValue = { value in
      if value == 1 {
        // Without demand, `late` misses this value too.
        subject.send(2)
        late.request(5)
      }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(late)
    subject.send(1)
    expectEqual(late.values, [0, 2])
    subject.send(3)
    expectEqual(late.values, [0, 2, 3])
  }

  @Test func aRequestAndThenANestedSendDeliverEachValueOnce() {
    let subject = IntSubject(0)
    let first = History<Int, TestError>()
    let late = History<Int, TestError>(demand: .max(1))
    first.onValue = { value in
      if value == 1 {
        late.request(5)
        subject.send(2)
      }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(late)
    // `late` has no demand and misses this value, so it's behind.
    subject.send(4)
    subject.send(1)
    expectEqual(late.values, [0, 1, 2])
  }

  @Test func sinkDeliversTheValueBeforeItReturnsEvenIfAnotherThreadIsSending() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = SlowSubscriber<Never>(stopsAt: 1)
    subject.subscribe(slow.history)
    slow.onSenderThread { subject.send(1) }
    let newcomer = subject.history()
    expectEqual(newcomer.values, [1])
    slow.goOn()
    expectEqual(newcomer.values, [1])
    subject.send(2)
    expectEqual(newcomer.values, [1, 2])
    expectEqual(slow.history.values, [0, 1, 2])
  }

  @Test func aRequestWhileAnotherThreadSendsDeliversTheNewestValueOnce() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let idle = subject.history(demand: .none)
    let slow = SlowSubscriber<Never>(stopsAt: 2)
    subject.subscribe(slow.history)
    subject.send(1)
    slow.onSenderThread { subject.send(2) }
    // The sending thread delivers it, because a subscriber gets values from one thread at a time.
    idle.request(2)
    idle.request(1)
    slow.goOn()
    expectEqual(idle.values, [2])
    expectEqual(slow.history.values, [0, 1, 2])
  }

  @Test func hasTheNewValueBeforeItDelivers() {
    let subject = IntSubject(0)
    let history = History<Int, TestError>()
    let log = CallLog()
    history.onValue = { value in
      log.append("\(value), value is \(subject.value)")
      return .none
    }
    subject.subscribe(history)
    subject.send(1)
    expectEqual(log.lines, ["0, value is 0", "1, value is 1"])
  }

  @Test func aSubscriberAddedDuringASendGetsTheValueOnce() {
    let subject = IntSubject(0)
    let newcomer = History<Int, TestError>()
    let first = subject.history()
    first.onValue = { value in
      if value == 1 { subject.subscribe(newcomer) }
      return .none
    }
    subject.send(1)
    subject.send(2)
    expectEqual(newcomer.values, [1, 2])
  }

  @Test func afterTheEndAValueIsOnlyStored() {
    let subject = IntSubject(0)
    let history = subject.history()
    subject.send(completion: .failure("over"))
    subject.send(1)
    expectEqual(subject.value, 0)
    subject.value = 2
    expectEqual(subject.value, 2)
    expectEqual(
      history.events, [.subscription("CurrentValueSubject"), .value(0), .failure("over")])
    expectEqual(subject.history().events, [.subscription("Empty"), .failure("over")])
  }

  @Test func requestsUnlimitedValuesFromItsUpstreamsAtOnce() {
    let upstream = ScriptedSubscription()
    let subject = IntSubject(0)
    subject.send(subscription: upstream)
    expectEqual(upstream.calls, [.request(.unlimited)])
  }

  @Test func releasesTheOldValueOutsideItsLock() {
    final class Reader {
      let read: () -> Void
      init(read: @escaping () -> Void) { self.read = read }
      deinit { read() }
    }
    let subject = CurrentValueSubject<Reader?, Never>(nil)
    let log = CallLog()
    subject.value = Reader { log.append("released, value is nil: \(subject.value == nil)") }
    subject.value = nil
    expectEqual(log.lines, ["released, value is nil: true"])
  }

  @Test func threadsLeaveEverySubscriberWithTheLastValue() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = subject.history(demand: .none)
    let all = subject.history()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { for value in 1...500 { subject.send(value) } }
      }
      group.addTask { for _ in 0..<500 { slow.request(1) } }
    }
    slow.request(.unlimited)
    expectEqual(all.values.count, 1501)
    expectEqual(slow.values.last, subject.value)
    expectEqual(all.values.last, subject.value)
  }

  @Test func everyNewSubscriberHasAValueAndMissesNoLaterOne() {
    let subject = CurrentValueSubject<Int, Never>(0)
    onThreads(4) { thread in
      if thread == 0 {
        for value in 1...2000 { subject.send(value) }
      } else {
        for _ in 0..<300 {
          let history = subject.history()
          let first = history.values.first
          #expect(first != nil)
          history.cancel()
          let values = history.values
          // With one sender, each value from the current one on arrives once and in order.
          expectEqual(values, Array((first ?? 0)..<((first ?? 0) + values.count)))
        }
      }
    }
    expectEqual(subject.history().values, [2000])
  }
}
