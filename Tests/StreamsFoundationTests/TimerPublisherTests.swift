import StreamsFoundation
import TestSupport
import Testing

/// Tests on run loops of real threads, where only the order of events is certain. The fixture
/// `every-queue` tests exact times, in virtual time.
@Suite struct TimerPublisherTests {
  private let mode = RunLoop.Mode("timers")

  /// Runs a closure with the run loop of the test's own thread, so that its expectations belong to
  /// this test.
  private func onRunLoop(_ body: (RunLoop) -> Void) {
    // A loop sleeps only if it has a timer.
    let day = Timer(timeInterval: 86_400, repeats: false) { _ in }
    for mode in [mode, .default] { RunLoop.current.add(day, forMode: mode) }
    body(.current)
    day.invalidate()
  }

  private func publisher(on loop: RunLoop) -> Timer.TimerPublisher {
    Timer.publish(every: 0.001, on: loop, in: mode)
  }

  private func run(_ loop: RunLoop, in mode: RunLoop.Mode? = nil, until isDone: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 20)
    while !isDone() {
      _ = loop.run(mode: mode ?? self.mode, before: Date(timeIntervalSinceNow: 0.01))
      if Date() > deadline {
        Issue.record("timed out after 20 seconds")
        return
      }
    }
  }

  /// Runs the loop until another timer has sent five dates.
  private func runForAWhile(_ loop: RunLoop) {
    let other = publisher(on: loop).autoconnect().history()
    run(loop) { other.values.count >= 5 }
    other.cancel()
  }

  @Test func datesArriveInOrderWhileConnected() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let start = Date()
      let history = publisher.history()
      runForAWhile(loop)
      #expect(history.lines == ["subscription Timer"])
      let connection = publisher.connect()
      run(loop) { history.values.count >= 3 }
      connection.cancel()
      connection.cancel()
      let dates = history.values
      runForAWhile(loop)
      #expect(history.values == dates)
      #expect(dates == dates.sorted())
      #expect(dates.allSatisfy { $0 > start })
      #expect(history.completion == nil)
    }
  }

  @Test func eachSubscriberGetsTheDatesItRequested() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let none = publisher.history(demand: .none)
      let three = publisher.history(demand: .max(3))
      let four = publisher.history(demand: .max(1))
      four.onValue = { _ in four.values.count < 4 ? .max(1) : .none }
      let all = publisher.history()
      none.request(.none)
      let connection = publisher.connect()
      run(loop) { all.values.count >= 6 }
      connection.cancel()
      #expect(none.values == [])
      #expect(three.values == Array(all.values.prefix(3)))
      #expect(four.values == Array(all.values.prefix(4)))
      four.onValue = nil
    }
  }

  @Test func aCancellationEndsOneSubscriptionOnly() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let first = publisher.history()
      first.onValue = { _ in
        first.cancel()
        return .max(1)
      }
      let second = publisher.history()
      let connection = publisher.connect()
      run(loop) { second.values.count >= 3 }
      connection.cancel()
      #expect(first.values == Array(second.values.prefix(1)))
      first.onValue = nil
    }
  }

  @Test func aSubscriberCancelledByAnEarlierOneGetsNoDate() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let first = publisher.history()
      let second = publisher.history()
      first.onValue = { _ in
        second.cancel()
        return .none
      }
      let connection = publisher.connect()
      run(loop) { first.values.count >= 2 }
      connection.cancel()
      #expect(second.values == [])
      first.onValue = nil
    }
  }

  @Test func aConnectionCancelledInsideADeliveryEnds() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let history = publisher.history()
      let connection = publisher.connect()
      history.onValue = { _ in
        connection.cancel()
        return .none
      }
      run(loop) { !history.values.isEmpty }
      runForAWhile(loop)
      #expect(history.values.count == 1)
      history.onValue = nil
    }
  }

  @Test func eachConnectionHasItsOwnTimer() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let history = publisher.history()
      let first = publisher.connect()
      let second = publisher.connect()
      run(loop) { history.values.count >= 2 }
      first.cancel()
      let count = history.values.count
      run(loop) { history.values.count >= count + 3 }
      second.cancel()
      let dates = history.values
      runForAWhile(loop)
      #expect(history.values == dates)
    }
  }

  @Test func releasingAConnectionDoesNotStopItsTimer() {
    onRunLoop { loop in
      let publisher = publisher(on: loop)
      let history = publisher.history()
      _ = publisher.connect()
      run(loop) { history.values.count >= 3 }
      history.cancel()
    }
  }

  @Test func autoconnectConnectsTheFirstSubscriber() {
    onRunLoop { loop in
      let publisher = publisher(on: loop).autoconnect()
      let first = publisher.history(demand: .max(2))
      let second = publisher.history()
      run(loop) { second.values.count >= 3 }
      first.cancel()
      let count = second.values.count
      run(loop) { second.values.count >= count + 2 }
      second.cancel()
      let third = publisher.history()
      run(loop) { third.values.count >= 1 }
      third.cancel()
      #expect(first.values == Array(second.values.prefix(2)))
    }
  }

  @Test func timersRunInTheirModeOnly() {
    onRunLoop { loop in
      let history = publisher(on: loop).autoconnect().history()
      let other = Timer.publish(every: 0.001, on: loop, in: .default).autoconnect().history()
      run(loop, in: .default) { other.values.count >= 5 }
      #expect(history.values == [])
      run(loop) { history.values.count >= 1 }
      history.cancel()
      other.cancel()
    }
  }

  @Test(arguments: [0, -1.0])
  func anIntervalThatIsNotPositiveBecomesAShortOne(interval: TimeInterval) {
    onRunLoop { loop in
      let history = Timer.publish(every: interval, on: loop, in: mode).autoconnect().history()
      run(loop) { history.values.count >= 3 }
      history.cancel()
    }
  }

  @Test func releasesASubscriberThatHasCancelled() {
    weak var downstream: History<Date, Never>?
    let publisher = publisher(on: .current)
    var subscription: (any Subscription)?
    do {
      let history = History<Date, Never>()
      history.onSubscription = { subscription = $0 }
      publisher.subscribe(history)
      history.onSubscription = nil
      history.releaseSubscription()
      downstream = history
    }
    #expect(downstream != nil)
    subscription?.cancel()
    #expect(downstream == nil)
  }

  @Test func keepsItsParameters() {
    let publisher = Timer.publish(every: 0.25, tolerance: 0.02, on: .main, in: mode)
    #expect(publisher.interval == 0.25)
    #expect(publisher.tolerance == 0.02)
    #expect(publisher.runLoop === RunLoop.main)
    #expect(publisher.mode == mode)
    #expect(publisher.options == nil)
    #expect(Timer.TimerPublisher(interval: 1, runLoop: .main, mode: .default).tolerance == nil)
  }

  @Test func subscribersMayJoinAndCancelOnOtherThreadsDuringADate() {
    onRunLoop { loop in
      // Any thread may use the publisher.
      nonisolated(unsafe) let publisher = publisher(on: loop)
      let steady = publisher.history()
      let connection = publisher.connect()
      let areDone = Locked(false)
      Thread.detachNewThread {
        for _ in 0..<500 {
          let connection = publisher.connect()
          let history = publisher.history(demand: .max(1))
          history.request(1)
          history.cancel()
          connection.cancel()
        }
        areDone.withLock { $0 = true }
      }
      run(loop) { areDone.withLock { $0 } }
      let count = steady.values.count
      run(loop) { steady.values.count >= count + 3 }
      connection.cancel()
    }
  }
}
