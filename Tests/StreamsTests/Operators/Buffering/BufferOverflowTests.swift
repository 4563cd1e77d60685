import Streams
import TestSupport
import Testing

/// Tests what happens to a value that finds the buffer full.
struct BufferOverflowTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let source = ScriptedPublisher<Int, TestError>()

  typealias Prefetch = BufferTests.Prefetch

  @Test(arguments: [false, true], Prefetch.allCases.flatMap { [($0, 3), ($0, nil)] })
  func keepsTheFirstOrTheLastValues(oldest: Bool, request: (prefetch: Prefetch, count: Int?)) {
    let history = source.buffer(
      size: 3, prefetch: request.prefetch.strategy, whenFull: oldest ? .dropOldest : .dropNewest
    ).history(demand: .none)
    for value in 1...5 { expectEqual(source.send(value), .none) }
    history.request(request.count.map { .max($0) } ?? .unlimited)
    expectEqual(
      history.events, [.subscription("Buffer")] + (oldest ? 3...5 : 1...3).map { .value($0) })
  }

  @Test func anOverflowCancelsUpstreamAndFailsAfterTheRequestedValues() {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, TestError>(demand: .none, log: log)
    source.buffer(
      size: 2, prefetch: .keepFull,
      whenFull: .customError {
        log.append("error")
        return "full"
      }
    ).subscribe(history)
    for value in 1...5 { expectEqual(source.send(value), .none) }
    source.fail("late")
    expectEqual(
      log.lines.suffix(3), ["downstream: subscription Buffer", "error", "upstream: cancel"])
    history.request(.none)
    expectEqual(history.text, "Buffer:")
    history.request(3)
    history.request(1)
    history.cancel()
    expectEqual(history.text, "Buffer: 1 2 x(full)")
    expectEqual(source.calls, [.request(.max(2)), .cancel])
  }

  @Test func theFailureOfAnOverflowDropsValuesThatAreNotRequested() {
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .none)
    for value in 1...4 { source.send(value) }
    history.request(2)
    expectEqual(history.text, "Buffer: 1 2 x(full)")
  }

  @Test func anOverflowInsideADeliveryWaitsForTheNextRequest() {
    let history = source.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .max(1)) { _, value in
        if value == 1 { for value in 2...3 { source.send(value) } }
      }
    source.send(1)
    expectEqual(history.text, "Buffer: 1")
    history.request(1)
    expectEqual(history.text, "Buffer: 1 2 x(full)")
  }

  @Test func anOverflowInsideADeliveryWithUnlimitedDemandFailsAfterTheQueue() {
    let history = source.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .unlimited) { _, value in
        if value == 1 { for value in 2...3 { source.send(value) } }
      }
    source.send(1)
    expectEqual(history.text, "Buffer: 1 2 x(full)")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func anOverflowBeforeTheSubscriptionWaitsForTheFirstRequest() {
    let history = (1...9).publisher.setFailureType(to: TestError.self)
      .buffer(size: 3, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .none)
    expectEqual(history.text, "Buffer:")
    history.request(5)
    expectEqual(history.text, "Buffer: 1 2 3 x(full)")
  }

  /// The closure sends a value, requests one, and ends upstream: everything while it makes the
  /// error.
  @Test func theErrorClosureMayCallBack() {
    let history = History<Int, TestError>(demand: .none)
    source.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError {
        source.send(8)
        history.request(3)
        source.fail("late")
        return "full"
      }
    ).subscribe(history)
    source.send(1)
    source.send(2)
    expectEqual(history.text, "Buffer: 1 x(full)")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func theErrorClosureMayCancel() {
    let history = History<Int, TestError>(demand: .none)
    source.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError {
        history.cancel()
        return "full"
      }
    ).subscribe(history)
    for value in 1...2 { source.send(value) }
    history.request(3)
    expectEqual(history.text, "Buffer:")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  // MARK: Size

  @Test(arguments: [false, true]) func withASizeOfZeroEachValueIsDropped(oldest: Bool) {
    let history = source.buffer(
      size: 0, prefetch: .keepFull, whenFull: oldest ? .dropOldest : .dropNewest
    ).history()
    for value in 1...3 { expectEqual(source.send(value), .none) }
    source.finish()
    expectEqual(history.text, "Buffer: |")
    expectEqual(source.calls, [])
  }

  @Test func withASizeOfZeroTheFirstValueFails() {
    let history = source.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .max(2))
    for value in 1...3 { expectEqual(source.send(value), .none) }
    expectEqual(history.text, "Buffer: x(full)")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aNegativeSizeTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).buffer(size: -1, prefetch: .byRequest, whenFull: .dropNewest)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("buffer: the size must be at least 0, not -1"))
  }

  @Test func aQueueCanHoldAnyNumberOfValues() {
    let history = (0..<10_000).publisher
      .buffer(size: .max, prefetch: .keepFull, whenFull: .dropNewest).history()
    expectEqual(history.values, Array(0..<10_000))
    expectEqual(history.completion, .finished)
  }
}
