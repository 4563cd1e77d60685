import Streams
import TestSupport
import Testing

struct CollectByTimeReentrancyTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test func valuesSentWithinADeliveryGoIntoTheNextArray() {
    let timeline = CollectByTimeTests.timeline(count: nil)
    timeline.inside = { values in
      if values == [1] { timeline.source.send(2) }
      if values == [2] { timeline.source.finish() }
      return .none
    }
    timeline.source.send(1)
    timeline.clock.advance(to: .seconds(2))
    timeline.expect(["1s: [1]", "1s: [2]", "1s: finished"])
  }

  @Test func requestsWithinADeliveryCount() {
    let timeline = CollectByTimeTests.timeline(count: 2, demand: .max(1))
    timeline.inside = { _ in
      timeline.history.request(1)
      return .max(1)
    }
    timeline.send((1...6).map { (0, $0) })
    timeline.clock.advance()
    timeline.expect(["0: [1, 2]", "0: [3, 4]", "0: [5, 6]"])
  }

  /// The scheduler runs actions at once, so an action per request would nest the deliveries.
  @Test(arguments: [false, true])
  func deliveriesRequestedWithinADeliveryDoNotNest(afterANestedOne: Bool) {
    let history = History<[Int], TestError>(demand: .none)
    var depth = 0
    var deepest = 0
    history.onValue = { values in
      depth += 1
      deepest = max(deepest, depth)
      if afterANestedOne, values == [1] { source.send(101) }
      if !afterANestedOne || depth == 1 { history.request(.max(1)) }
      depth -= 1
      return .none
    }
    source.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 1)).subscribe(history)
    for value in 1...100 { source.send(value) }
    history.request(.max(afterANestedOne ? 2 : 1))
    expectEqual(history.values, (1...(afterANestedOne ? 101 : 100)).map { [$0] })
    // The value that's sent within the first delivery nests one more.
    expectEqual(deepest, (afterANestedOne ? 2 : 1))
    history.onValue = nil
    history.cancel()
  }

  @Test func aRequestOnAnotherThreadWithinADeliveryIsScheduled() {
    let log = CallLog()
    let scheduler = ManualScheduler()
    let history = source.collect(.byTimeOrCount(scheduler, .nanoseconds(13), 1)).history(
      demand: .max(1)
    ) { history, values in
      if values == [1] { onAnotherThread { history.request(.max(1)) } }
      log.append("\(values) scheduled \(scheduler.pendingCount)")
    }
    for value in 1...2 { source.send(value) }
    // The timer's interval, and an action for each full array.
    expectEqual(scheduler.pendingCount, 3)
    scheduler.runNext()
    log.expect(["[1] scheduled 3", "[2] scheduled 3"])
    history.onValue = nil
    history.cancel()
  }

  @Test func aRequestWithinTheSubscriptionIsScheduled() {
    let history = History<[Int], TestError>()
    history.onSubscription = { subscription in
      for value in 1...3 {
        source.send(value)
        subscription.request(.max(1))
      }
    }
    source.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 1)).subscribe(history)
    expectEqual(history.values, [[1], [2], [3]])
    history.onSubscription = nil
    history.cancel()
  }
}
