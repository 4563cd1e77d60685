import Streams
import TestSupport
import Testing

/// Tests a buffer behind a sequence, which sends all its values within one request.
struct BufferRunTests {
  typealias Prefetch = BufferTests.Prefetch

  /// Values that another source sends within a delivery come after it, and a cancellation ends
  /// everything.
  @Test(arguments: Prefetch.allCases)
  func callsFromWithinARunOfValuesCount(_ prefetch: Prefetch) {
    let log = CallLog()
    let buffer = Lent()
    let history = (1...20).publisher.lent(to: buffer)
      .buffer(size: 2, prefetch: prefetch.strategy, whenFull: .dropNewest).history(demand: .none) {
        history, value in
        log.append("\(value)")
        if value == 3 || value == 5 {
          for nested in 1...2 { expectEqual(buffer.send(100 * value + nested), .none) }
        }
        if value == 6 { history.request(1) }
        if value == 8 { history.cancel() }
        log.append("end of \(value)")
      }
    history.request(.unlimited)
    let values = prefetch == .keepFull ? [1, 2, 3, 301, 302, 4, 5, 501, 502, 6, 7, 8] : [1, 2]
    log.expect(values.flatMap { ["\($0)", "end of \($0)"] })
  }

  @Test func aRunOfValuesKeepsTheBufferFull() {
    let calls = CallLog()
    let history = (0..<1000).publisher
      .handleEvents(receiveRequest: { calls.append("\($0)") })
      .buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).history()
    expectEqual(history.values, Array(0..<1000))
    expectEqual(history.completion, .finished)
    // The values of the first request were in the queue. The others have returned a demand each.
    expectEqual(calls.lines, ["max(3)", "max(3)"] + Array(repeating: "max(1)", count: 997))
  }

  @Test func aCancellationFromAnotherThreadEndsARunOfValues() {
    for round in 0..<100 {
      weak var downstream: History<Int, Never>?
      do {
        let history = History<Int, Never>(demand: .none)
        downstream = history
        let hasBegun = Locked(false)
        history.onValue = { _ in
          hasBegun.withLock { $0 = true }
          return .none
        }
        (0..<1_000_000).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
          .subscribe(history)
        onThreads(2) { thread in
          if thread == 0 { return history.request(.unlimited) }
          while !hasBegun.withLock({ $0 }) {}
          for _ in 0..<round { history.request(1) }
          history.cancel()
        }
        expectEqual(history.values, Array(0..<history.values.count))
        #expect(history.completion == nil)
        history.letGo()
      }
      #expect(downstream == nil)
    }
  }
}

/// A way to a subscriber of a sequence, so that a test can send it values within a run.
private final class Lent: Sendable {
  private let subscriber = Locked<AnySubscriber<Int, Never>?>(nil)

  func lend(_ subscriber: AnySubscriber<Int, Never>) {
    self.subscriber.withLock { $0 = subscriber }
  }

  func send(_ value: Int) -> Subscribers.Demand {
    subscriber.withLock { $0 }?.receive(value) ?? .none
  }
}

private struct Lending<Upstream: Publisher<Int, Never>>: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let upstream: Upstream
  let lent: Lent

  func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    lent.lend(AnySubscriber(subscriber))
    upstream.receive(subscriber: subscriber)
  }
}

extension Publisher<Int, Never> {
  fileprivate func lent(to lent: Lent) -> Lending<Self> { Lending(upstream: self, lent: lent) }
}
