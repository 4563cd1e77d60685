import Streams
import TestSupport
import Testing

struct CollectByCountTests {
  let log = CallLog()

  @Test func publishesArraysOfSomeValuesEach() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(2).history(demand: .max(2), perValue: .max(3))
    #expect((1...5).map { source.send($0) } == [.none, .max(6), .none, .max(6), .none])
    history.request(4)
    source.finish()
    source.finish()
    #expect(
      history.events == [
        .subscription("CollectByCount"), .value([1, 2]), .value([3, 4]), .value([5]), .finished,
      ])
    #expect(source.calls == [.request(.max(4)), .request(.max(8))])
  }

  @Test func requestsUnlimitedIfDownstreamDoesOrTheProductOverflows() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(2).history(perValue: .unlimited)
    source.send(1)
    #expect(source.send(2) == .unlimited)
    history.request(.max(.max))
    #expect(source.calls == [.request(.unlimited), .request(.unlimited)])
  }

  @Test func theLastArrayIsPublishedWithoutDemand() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(3).history(demand: .none)
    source.send(1)
    source.finish()
    #expect(history.events == [.subscription("CollectByCount"), .value([1]), .finished])
  }

  @Test func finishesWithoutAnEmptyArray() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(1).history()
    source.send(1)
    source.finish()
    #expect(history.events == [.subscription("CollectByCount"), .value([1]), .finished])
  }

  @Test func aFailureDropsTheIncompleteArray() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(2).history()
    source.send(1)
    source.fail("no more")
    #expect((2...5).map { source.send($0) } == [.none, .none, .none, .none])
    history.request(1)
    #expect(history.events == [.subscription("CollectByCount"), .failure("no more")])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func cancelsOnceAndDropsLaterSignals() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(2).history()
    source.send(1)
    history.cancel()
    history.cancel()
    source.send(2)
    source.finish()
    #expect(history.events == [.subscription("CollectByCount")])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func aCancellationInsideTheLastArrayPreventsTheCompletion() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<[Int], TestError>()
    history.onValue = { _ in
      history.request(1)
      history.cancel()
      return .none
    }
    source.collect(2).subscribe(history)
    source.send(1)
    source.finish()
    #expect(history.events == [.subscription("CollectByCount"), .value([1])])
    #expect(source.calls == [.request(.unlimited)])
    history.onValue = nil
  }

  @Test func aSendFromWithinADeliveryBeginsTheNextArray() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<[Int], TestError>()
    history.onValue = { value in
      if value == [1, 2] { for next in 3...5 { source.send(next) } }
      return .none
    }
    source.collect(2).subscribe(history)
    for value in 1...2 { source.send(value) }
    source.send(6)
    #expect(history.values == [[1, 2], [3, 4], [5, 6]])
    history.onValue = nil
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.collect(2).history()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("CollectByCount")])
  }

  @Test func aValueBeforeTheSubscriptionIsDropped() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.collect(1).history()
    #expect(source.send(1) == .none)
    source.sendSubscription()
    source.send(2)
    #expect(history.events == [.subscription("CollectByCount"), .value([2])])
  }

  @Test func anEndBeforeTheSubscriptionCounts() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.collect(2).history()
    source.send(1)
    source.finish()
    #expect(history.events == [.finished])
    #expect(source.sendSubscription().calls == [.cancel])
  }

  @Test func eachSubscriberHasItsOwnArrays() {
    let source = ScriptedPublisher<Int, TestError>()
    let publisher = source.collect(2)
    let first = publisher.history()
    let second = publisher.history()
    source.send(1, to: 0)
    source.send(2, to: 1)
    source.send(3, to: 0)
    source.send(4, to: 1)
    #expect(first.values == [[1, 3]])
    #expect(second.values == [[2, 4]])
  }

  @Test(arguments: [true, false]) func releasesBothSidesAtTheEnd(byCancelling: Bool) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<[Int], TestError>?
    let history = History<[Int], TestError>()
    do {
      let source = ScriptedPublisher<Int, TestError>()
      source.collect(2).subscribe(history)
      upstream = source.subscriptions.last
      if byCancelling { history.cancel() } else { source.finish() }
      let other = source.collect(2).history()
      other.cancel()
      downstream = other
    }
    #expect(upstream == nil)
    #expect(downstream == nil)
    withExtendedLifetime(history) {}
  }

  @Test func aCancellationFromAnotherThreadIsSafeAtAnyMoment() {
    for _ in 0..<200 {
      let source = ScriptedPublisher<Int, TestError>()
      let history = source.collect(2).history()
      onThreads(2) { thread in
        if thread == 1 { return history.cancel() }
        for value in 1...5 { source.send(value) }
        source.finish()
      }
      let all = [[1, 2], [3, 4], [5]]
      #expect(history.values == Array(all.prefix(history.values.count)))
    }
  }

  @Test func isEqualIfUpstreamAndCountAre() {
    #expect(Empty<Int, Never>().collect(2) == Empty().collect(2))
    #expect(Empty<Int, Never>().collect(2) != Empty().collect(3))
  }

  @Test func aCountOfZeroAndARequestForZeroValuesTrap() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().collect(0) }
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher<Int, TestError>().collect(2).history(demand: .none).request(.none)
    }
  }
}
