import TestSupport
import Testing

@testable import Streams

/// Tests what a sink receives. `SinkReleaseTests` tests when its closures are released.
@Suite struct SinkTests {
  typealias IntSink = Subscribers.Sink<Int, TestError>

  /// A sink that logs everything it receives.
  static func sink(log: CallLog) -> IntSink {
    IntSink(
      receiveCompletion: { log.append("\($0)") },
      receiveValue: { log.append("\($0)") })
  }

  let log = CallLog()
  let source = ScriptedPublisher<Int, TestError>()

  @Test func receivesAllWithUnlimitedDemand() {
    let cancellable = source.sink(
      receiveCompletion: { [log] in log.append("\($0)") },
      receiveValue: { [log] in log.append("\($0)") })
    expectEqual(source.send(1), .none)
    expectEqual(source.send(2), .none)
    source.finish()
    expectEqual(log.lines, ["1", "2", "finished"])
    expectEqual(source.calls, [.request(.unlimited)])
    cancellable.cancel()
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func receivesTheError() {
    let sink = Self.sink(log: log)
    source.subscribe(sink)
    source.fail("over")
    expectEqual(log.lines, [#"failure(over)"#])
  }

  @Test func aStreamThatCannotFailNeedsNoCompletionClosure() {
    let cancellable = [1, 2].publisher.sink { [log] in log.append("\($0)") }
    expectEqual(log.lines, ["1", "2"])
    cancellable.cancel()
  }

  @Test func ignoresSignalsAfterTheEnd() {
    let sink = Self.sink(log: log)
    source.subscribe(sink)
    source.finish()
    source.send(1)
    source.fail("late")
    source.sendSubscription()
    expectEqual(log.lines, ["finished"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aCompletionInsideTheCompletionIsIgnored() {
    let sink = IntSink(
      receiveCompletion: { [log, source] in
        log.append("\($0)")
        source.fail("again")
      }, receiveValue: { _ in })
    source.subscribe(sink)
    source.finish()
    expectEqual(log.lines, ["finished"])
  }

  @Test func cancelsUpstreamOnceAndReceivesNothingMore() {
    let sink = Self.sink(log: log)
    source.subscribe(sink)
    source.send(1)
    sink.cancel()
    sink.cancel()
    source.send(2)
    source.finish()
    expectEqual(log.lines, ["1"])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aSecondSubscriptionIsCancelledAndNothingElse() {
    let sink = Self.sink(log: log)
    source.subscribe(sink)
    let second = source.sendSubscription()
    source.send(1)
    expectEqual(source.subscriptions[0].calls, [.request(.unlimited)])
    expectEqual(second.calls, [.cancel])
    expectEqual(log.lines, ["1"])
  }

  @Test func receivesValuesBeforeItsSubscription() {
    let sink = Self.sink(log: log)
    expectEqual(sink.receive(1), .none)
    source.subscribe(sink)
    source.send(2)
    expectEqual(log.lines, ["1", "2"])
  }

  @Test func aCompletionBeforeItsSubscriptionEndsIt() {
    let sink = Self.sink(log: log)
    sink.receive(completion: .finished)
    source.subscribe(sink)
    source.send(1)
    expectEqual(log.lines, ["finished"])
    expectEqual(source.calls, [.cancel])
  }

  @Test func aCancellationBeforeItsSubscriptionEndsIt() {
    let sink = Self.sink(log: log)
    sink.cancel()
    sink.cancel()
    expectEqual(sink.receive(1), .none)
    source.subscribe(sink)
    source.send(2)
    source.finish()
    expectEqual(log.lines, [])
    expectEqual(source.calls, [.cancel])
  }

  @Test func anEndWhileTheSubscriptionArrivesLeavesNothingBehind() {
    for _ in 0..<300 {
      weak var released: Token?
      let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
      do {
        let token = Token()
        released = token
        nonisolated(unsafe) let sink = IntSink(
          receiveCompletion: { _ in token.touch() }, receiveValue: { _ in token.touch() })
        source.subscribe(sink)
        onThreads(2) { thread in
          if thread == 0 { source.sendSubscription() } else { sink.cancel() }
        }
        source.releaseSubscribers()
      }
      // In either order, the subscription is cancelled and the closures are released.
      expectEqual(source.calls.count { $0 == .cancel }, 1)
      #expect(source.calls.count <= 2)
      #expect(released == nil)
    }
  }

  @Test func aReleasedCancellableCancels() {
    var cancellable: AnyCancellable? = source.sink(
      receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(cancellable != nil)
    cancellable = nil
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aValueInsideAValueNests() {
    let sink = IntSink(
      receiveCompletion: { _ in },
      receiveValue: { [log, source] value in
        log.append("begin \(value)")
        if value < 3 { source.send(value + 1) }
        log.append("end \(value)")
      })
    source.subscribe(sink)
    source.send(1)
    source.send(3)
    expectEqual(
      log.lines,
      [
        "begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1", "begin 3", "end 3",
      ])
  }

  @Test(arguments: [false, true])
  func nothingIsReceivedInsideAValueThatHasCancelled(isSentElsewhere: Bool) {
    nonisolated(unsafe) var sink: IntSink?
    sink = IntSink(
      receiveCompletion: { [log] in log.append("\($0)") },
      receiveValue: { [log, source] value in
        log.append("\(value)")
        sink?.cancel()
        let send: @Sendable () -> Void = {
          source.send(value + 1)
          source.finish()
        }
        if isSentElsewhere { onAnotherThread(send) } else { send() }
      })
    source.subscribe(sink!)
    source.send(1)
    source.send(5)
    expectEqual(log.lines, ["1"])
  }

  @Test func aCompletionInsideAValueIsReceivedThere() {
    let sink = IntSink(
      receiveCompletion: { [log] in log.append("\($0)") },
      receiveValue: { [log, source] value in
        log.append("begin \(value)")
        source.finish()
        source.send(value + 1)
        log.append("end \(value)")
      })
    source.subscribe(sink)
    source.send(1)
    expectEqual(log.lines, ["begin 1", "finished", "end 1"])
  }

  @Test func aValueIsReceivedWhileAnotherThreadDeliversOne() {
    let sink = IntSink(
      receiveCompletion: { _ in },
      receiveValue: { [log, source] value in
        log.append("begin \(value)")
        if value == 1 { onAnotherThread { source.send(2) } }
        if value == 2 { source.send(3) }
        log.append("end \(value)")
      })
    source.subscribe(sink)
    source.send(1)
    source.send(4)
    expectEqual(
      log.lines,
      [
        "begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1", "begin 4", "end 4",
      ])
  }

  @Test(arguments: [false, true])
  func aRunOfValuesIsCancelledMidway(isCancelledElsewhere: Bool) {
    nonisolated(unsafe) var sink: Subscribers.Sink<Int, Never>?
    sink = Subscribers.Sink(
      receiveCompletion: { [log] in log.append("\($0)") },
      receiveValue: { [log] value in
        log.append("\(value)")
        guard value == 2 else { return }
        if isCancelledElsewhere { onAnotherThread { sink?.cancel() } } else { sink?.cancel() }
      })
    (1...4).publisher.subscribe(sink!)
    expectEqual(log.lines, ["1", "2"])
  }

  @Test func showsItsClosuresUntilTheEnd() {
    let sink = Self.sink(log: log)
    sink.receiveValue(1)
    sink.receiveCompletion(.failure("shown"))
    source.subscribe(sink)
    source.finish()
    sink.receiveValue(2)
    sink.receiveCompletion(.failure("hidden"))
    expectEqual(log.lines, ["1", "failure(shown)", "finished"])
  }

  @Test func isCalledSink() {
    let sink = Self.sink(log: log)
    expectEqual(sink.description, "Sink")
    expectEqual(sink.playgroundDescription as? String, "Sink")
    #expect(sink.customMirror.children.isEmpty)
  }

  @Test func completesOnceHoweverManyThreadsComplete() {
    for _ in 0..<200 {
      let completions = Locked(0)
      nonisolated(unsafe) let sink = IntSink(
        receiveCompletion: { _ in completions.withLock { $0 += 1 } }, receiveValue: { _ in })
      onThreads(2) { _ in sink.receive(completion: .finished) }
      expectEqual(completions.withLock { $0 }, 1)
    }
  }
}
