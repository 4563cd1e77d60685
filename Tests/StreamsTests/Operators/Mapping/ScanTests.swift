import Streams
import TestSupport
import Testing

struct ScanTests {
  let log = CallLog()

  @Test func publishesEachResultButNotTheFirst() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.scan("0") { "\($0)\($1)" }.history()
    for value in 1...3 { source.send(value) }
    source.fail("no more")
    #expect(
      history.events == [
        .subscription("upstream"), .value("01"), .value("012"), .value("0123"),
        .failure("no more"),
      ])
  }

  @Test func passesSubscriptionDemandAndTheEndOnUnchanged() {
    let source = ScriptedPublisher<Int, Never>(log: log)
    let history = History<Int, Never>(demand: .max(1), perValue: .max(2), log: log)
    source.scan(10, +).subscribe(history)
    #expect(source.send(1) == .max(2))
    history.request(3)
    source.finish()
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(1)",
        "downstream: value 11", "upstream: request max(3)", "downstream: finished",
        "upstream: cancel",
      ])
  }

  @Test func aSendFromWithinADeliveryNestsAndContinuesFromTheResult() {
    let source = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 1 { source.send(10) }
      return .none
    }
    source.scan(0, +).subscribe(history)
    source.send(1)
    source.send(100)
    #expect(history.values == [1, 11, 111])
    history.onValue = nil
  }

  @Test func aSecondSubscriptionIsPassedOnAndDownstreamCancelsIt() {
    let source = ScriptedPublisher<Int, Never>()
    let subscription = source.scan(0, +).sink { _ in }
    #expect(source.sendSubscription().calls == [.cancel])
    subscription.cancel()
  }

  @Test func eachSubscriberHasItsOwnResult() {
    let source = ScriptedPublisher<Int, Never>()
    let publisher = source.scan(0, +)
    let first = publisher.history()
    let second = publisher.history()
    source.send(1, to: 0)
    source.send(2, to: 1)
    source.send(3, to: 0)
    #expect(first.values == [1, 4])
    #expect(second.values == [2])
  }

  @Test func releasesItsResultAndDownstream() {
    weak var token: Token?
    weak var downstream: History<Token, Never>?
    do {
      let source = ScriptedPublisher<Token, Never>()
      let initial = Token()
      token = initial
      let history = source.scan(initial) { result, _ in result }.history()
      downstream = history
      source.send(Token())
      history.cancel()
      history.removeAll()
    }
    #expect(token == nil)
    #expect(downstream == nil)
  }

  @Test func aCancellationFromAnotherThreadIsSafeAtAnyMoment() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let history = subject.scan(0, +).history()
      onThreads(2) { thread in
        if thread == 1 { return history.cancel() }
        for _ in 0..<20 { subject.send(1) }
      }
      #expect(history.values == Array((1...20).prefix(history.values.count)))
    }
  }
}
