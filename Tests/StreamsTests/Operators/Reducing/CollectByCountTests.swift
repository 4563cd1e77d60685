import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct CollectByCountTests {
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

  @Test func anEndBeforeTheSubscriptionCountsButNoValue() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.collect(2).history()
    #expect(source.send(1) == .none)
    source.finish()
    #expect(history.events == [.finished])
    #expect(source.sendSubscription().calls == [.cancel])
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

  @Test func aCountOfZeroAndARequestForZeroValuesTrap() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().collect(0) }
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher<Int, TestError>().collect(2).history(demand: .none).request(.none)
    }
  }
}
