import Synchronization
import TestSupport
import Testing

@testable import Streams

/// Tests when a sink releases its closures. Each closure keeps a token that logs its release.
@Suite struct SinkReleaseTests {
  typealias IntSink = Subscribers.Sink<Int, TestError>

  /// A sink with two closures that log what they receive and when they're released.
  static func sink(
    log: CallLog, onValue: @escaping (Int) -> Void = { _ in }
  ) -> IntSink {
    let completionToken = Token { log.append("completion closure released") }
    let valueToken = Token { log.append("value closure released") }
    return IntSink(
      receiveCompletion: {
        completionToken.touch()
        log.append("\($0)")
      },
      receiveValue: {
        log.append("begin \($0)")
        onValue($0)
        valueToken.touch()
        log.append("end \($0)")
      })
  }

  static let both = ["completion closure released", "value closure released"]

  /// The log. Its last two lines are sorted, because the order of the two releases doesn't matter.
  var lines: [String] { log.lines.dropLast(2) + log.lines.suffix(2).sorted() }

  let log = CallLog()
  let source = ScriptedPublisher<Int, TestError>()

  @Test func theValueClosureIsReleasedBeforeTheCompletionClosureIsCalled() {
    let sink = Self.sink(log: log)
    source.subscribe(sink)
    source.finish()
    withExtendedLifetime(sink) {
      expectEqual(
        log.lines, ["value closure released", "finished", "completion closure released"])
    }
  }

  @Test func aCancellationReleasesBoth() {
    let sink = Self.sink(log: log)
    source.subscribe(sink)
    sink.cancel()
    withExtendedLifetime(sink) { expectEqual(lines, Self.both) }
  }

  @Test(arguments: [false, true]) func theEndReleasesTheSubscription(isCancelled: Bool) {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let sink = Subscribers.Sink<Token, TokenError>(
      receiveCompletion: { _ in }, receiveValue: { _ in })
    source.subscribe(sink)
    if isCancelled { sink.cancel() } else { source.finish() }
    withExtendedLifetime(sink) {
      expectEqual(scene.takeNotes(), (isCancelled ? ["a: cancel"] : []) + ["released: a"])
    }
  }

  @Test func aCancellationBeforeItsSubscriptionReleasesBoth() {
    let sink = Self.sink(log: log)
    sink.cancel()
    withExtendedLifetime(sink) { expectEqual(lines, Self.both) }
  }

  @Test func aReleasedSinkReleasesItsClosures() {
    var sink: IntSink? = Self.sink(log: log)
    _ = sink?.receive(1)
    sink = nil
    expectEqual(lines, ["begin 1", "end 1"] + Self.both)
  }

  enum Ending: CaseIterable {
    case cancellation, cancellationOnAnotherThread, completion, completionOnAnotherThread

    /// The lines that the completion closure logs, if it's called.
    var lines: [String] { isCompletion ? ["finished"] : [] }

    var isCompletion: Bool { self == .completion || self == .completionOnAnotherThread }

    func end(_ sink: IntSink) {
      nonisolated(unsafe) let sink = sink
      switch self {
      case .cancellation: sink.cancel()
      case .cancellationOnAnotherThread: onAnotherThread { sink.cancel() }
      case .completion: sink.receive(completion: .finished)
      case .completionOnAnotherThread: onAnotherThread { sink.receive(completion: .finished) }
      }
    }
  }

  // The running closure is released as it returns, and the other one at once.

  @Test(arguments: Ending.allCases)
  func anEndInsideAValueReleasesItsClosureAfterIt(ending: Ending) {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = Self.sink(log: log) { _ in ending.end(inside!) }
    inside = sink
    source.subscribe(sink)
    source.send(1)
    withExtendedLifetime(sink) {
      expectEqual(
        log.lines,
        ["begin 1"] + ending.lines + [
          "completion closure released", "end 1", "value closure released",
        ])
    }
  }

  /// The second value comes on the same thread or on another one.
  @Test(arguments: Ending.allCases, [false, true])
  func anEndDuringAnotherThreadsValueReleasesItsClosureAfterBoth(
    ending: Ending, isElsewhere: Bool
  ) {
    nonisolated(unsafe) weak var inside: IntSink?
    let sink = Self.sink(log: log) { value in
      nonisolated(unsafe) let sink = inside!
      if value == 2 {
        ending.end(sink)
      } else if isElsewhere {
        onAnotherThread { _ = sink.receive(2) }
      } else {
        _ = sink.receive(2)
      }
    }
    inside = sink
    source.subscribe(sink)
    source.send(1)
    withExtendedLifetime(sink) {
      expectEqual(
        log.lines,
        ["begin 1", "begin 2"] + ending.lines + [
          "completion closure released", "end 2", "end 1", "value closure released",
        ])
    }
  }

  @Test func aSinkHeldByItsOwnClosureIsReleasedAtTheEnd() {
    nonisolated(unsafe) var sink: Subscribers.Sink<Int, Never>? = nil
    weak var released: Subscribers.Sink<Int, Never>?
    do {
      let inner = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in },
        receiveValue: { value in if value == 2 { sink?.cancel() } })
      sink = inner
      released = inner
      (1...4).publisher.subscribe(inner)
    }
    #expect(released != nil)
    sink = nil
    #expect(released == nil)
  }

  /// Objects captured by the closures may call the sink in their `deinit`, because no lock is held
  /// then.
  @Test(arguments: Ending.allCases) func aReleasedObjectMayCallTheSink(ending: Ending) {
    nonisolated(unsafe) weak var called: IntSink?
    func makeSink() -> IntSink {
      let token = Token { [log] in
        called?.cancel()
        called?.receive(completion: .finished)
        _ = called?.receive(2)
        log.append("released")
      }
      return IntSink(
        receiveCompletion: { [log] in log.append("\($0)") }, receiveValue: { _ in token.touch() })
    }
    let sink = makeSink()
    called = sink
    source.subscribe(sink)
    ending.end(sink)
    withExtendedLifetime(sink) { expectEqual(log.lines, ["released"] + ending.lines) }
  }

  @Test func threadsMayDeliverWhileOneCancels() {
    for round in 0..<300 {
      weak var released: Token?
      do {
        let token = Token()
        released = token
        let source = ScriptedPublisher<Int, TestError>()
        nonisolated(unsafe) let sink = IntSink(
          receiveCompletion: { _ in }, receiveValue: { _ in token.touch() })
        source.subscribe(sink)
        onThreads(3) { thread in
          if thread == 2 {
            if round.isMultiple(of: 2) { sink.cancel() } else { source.finish() }
          } else {
            for value in 0..<20 { source.send(value) }
          }
        }
        expectEqual(
          source.calls, [.request(.unlimited)] + (round.isMultiple(of: 2) ? [.cancel] : []))
      }
      #expect(released == nil)
    }
  }
}
