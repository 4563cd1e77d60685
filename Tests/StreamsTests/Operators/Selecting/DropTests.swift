import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct DropTests {
  let log = CallLog()
  let source = ScriptedPublisher<Int, TestError>()

  @Test func downstreamIsAttachedFirstAndOneRequestAsksForTheDroppedValuesToo() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.dropFirst(2).history(demand: .max(42), perValue: .max(3), log: log)
    expectEqual((1...4).map { source.send($0) }, [.none, .none, .max(3), .max(3)])
    history.request(5)
    log.expect([
      "downstream: subscription Drop", "upstream: subscribe", "upstream: request max(44)",
      "downstream: value 3", "downstream: value 4", "upstream: request max(5)",
    ])
  }

  @Test(arguments: [
    (Subscribers.Demand.none, 2, [ScriptedSubscription.Call.request(.max(2))]),
    (.none, 0, []), (.max(1), 0, [.request(.max(1))]), (.max(2), 1, [.request(.max(3))]),
    (.unlimited, 2, [.request(.unlimited)]), (.max(1), .max, [.request(.unlimited)]),
  ])
  func requestsTheDroppedValuesWhateverDownstreamRequests(
    demand: Subscribers.Demand, count: Int, calls: [ScriptedSubscription.Call]
  ) {
    let history = source.dropFirst(count).history(demand: demand)
    expectEqual(source.calls, calls)
    expectEqual(history.text, "Drop:")
  }

  @Test func requestsBeforeUpstreamsSubscriptionAreKept() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.dropFirst(4).history(demand: .max(10))
    history.request(3)
    expectEqual(history.text, "Drop:")
    expectEqual(source.sendSubscription().calls, [.request(.max(17))])
    history.request(1)
    expectEqual(source.calls, [.request(.max(17)), .request(.max(1))])
  }

  @Test func dropsOneWithoutAnArgument() {
    expectEqual(source.dropFirst().count, 1)
    let history = source.dropFirst().history()
    for value in 1...3 { source.send(value) }
    source.fail("no more")
    expectEqual(history.text, "Drop: 2 3 x(no more)")
  }

  @Test func anEndWhileDroppingIsPassedOn() {
    let history = source.dropFirst(2).history(demand: .none)
    source.send(1)
    source.finish()
    expectEqual(history.text, "Drop: |")
  }

  @Test(arguments: [Subscribers.Demand.max(2), .max(9), .unlimited])
  func aSourceEndsAfterItsLastValue(demand: Subscribers.Demand) {
    let history = (1...4).publisher.eraseToAnyPublisher().dropFirst(2).history(demand: demand)
    expectEqual(history.text, "Drop: 3 4 |")
  }

  @Test func noRequestOfAnotherThreadIsLost() {
    for _ in 0..<300 {
      let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
      let history = source.dropFirst(5).history(demand: .none)
      onThreads(2) { thread in
        if thread == 0 { return _ = source.sendSubscription() }
        for _ in 0..<10 { history.request(1) }
      }
      expectEqual(source.requestedCount, 15)
    }
  }

  @Test func aNegativeCountTrapsOnSubscribing() async {
    _ = source.dropFirst(-1)
    await #expect(processExitsWith: .failure) {
      _ = ScriptedPublisher<Int, TestError>(sendsSubscription: false).dropFirst(-1).history()
    }
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      ScriptedPublisher<Int, TestError>().dropFirst().history(demand: .none).request(.none)
    }
  }
}
