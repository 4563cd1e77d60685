import TestSupport
import Testing

@testable import Streams

/// Tests when `handleEvents` releases its closures if the stream ends during one of their calls.
@Suite struct HandleEventsReleaseTests {
  enum Ending: CaseIterable {
    case cancellation, cancellationOnAnotherThread, completion

    func end(_ source: PassthroughSubject<Int, TestError>, _ cancel: @escaping () -> Void) {
      nonisolated(unsafe) let cancel = cancel
      switch self {
      case .cancellation: cancel()
      case .cancellationOnAnotherThread: onAnotherThread { cancel() }
      case .completion: source.send(completion: .finished)
      }
    }
  }

  let log = CallLog()
  let source = PassthroughSubject<Int, TestError>()

  /// A subscriber after closures that keep a token. `body` runs in the value closure.
  func history(
    from source: PassthroughSubject<Int, TestError>? = nil, _ body: @escaping (Int) -> Void
  ) -> History<Int, TestError> {
    let token = Token { [log] in log.append("released") }
    return (source ?? self.source).handleEvents(
      receiveOutput: { [log] value in
        log.append("begin \(value)")
        body(value)
        token.touch()
        log.append("end \(value)")
      }
    ).history()
  }

  @Test(arguments: Ending.allCases)
  func anEndInsideTheValueClosureReleasesTheClosuresAfterIt(ending: Ending) {
    weak var inside: History<Int, TestError>?
    let history = history { [source] _ in ending.end(source) { inside?.cancel() } }
    inside = history
    source.send(1)
    log.expect(["begin 1", "end 1", "released"])
    source.send(2)
    log.expect(["begin 1", "end 1", "released"])
    withExtendedLifetime(history) {}
  }

  @Test(arguments: Ending.allCases)
  func anEndInsideANestedValueReleasesTheClosuresAfterTheOuterOne(ending: Ending) {
    weak var inside: History<Int, TestError>?
    let history = history { [source] value in
      if value == 1 { source.send(2) } else { ending.end(source) { inside?.cancel() } }
    }
    inside = history
    source.send(1)
    log.expect(["begin 1", "begin 2", "end 2", "end 1", "released"])
    withExtendedLifetime(history) {}
  }

  /// A sequence delivers to a sink in one run, which the closures' object is entered for once.
  @Test(arguments: [false, true])
  func aCancellationInsideARunReleasesTheClosuresAfterIt(onAnotherThread: Bool) {
    nonisolated(unsafe) let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { [log] in log.append("\($0)") })
    // Keeping the subscription keeps the object that has the closures.
    var kept: (any Subscription)?
    publisher(cancelling: sink, onAnotherThread: onAnotherThread)
      .handleEvents(receiveSubscription: { kept = $0 }).subscribe(sink)
    log.expect(["handle 1", "1", "handle 2", "cancelled", "released"])
    #expect(kept != nil)
  }

  private func publisher(
    cancelling sink: Subscribers.Sink<Int, Never>, onAnotherThread isElsewhere: Bool
  ) -> some Publisher<Int, Never> {
    nonisolated(unsafe) let sink = sink
    let token = Token { [log] in log.append("released") }
    let values = [1, 2, 3, 4].publisher
    return Deferred { [log] in
      values.handleEvents(receiveOutput: { value in
        token.touch()
        log.append("handle \(value)")
        guard value == 2 else { return }
        if isElsewhere { onAnotherThread { sink.cancel() } } else { sink.cancel() }
        log.append("cancelled")
      })
    }
  }

  @Test func threadsMayDeliverAndEndAtOnce() {
    for round in 1...200 {
      let source = PassthroughSubject<Int, TestError>()
      _ = history(from: source) { _ in }
      onThreads(3) { thread in
        if thread == 0 { source.send(completion: .finished) } else { source.send(thread) }
      }
      expectEqual(log.lines.count { $0 == "released" }, round)
      let begun = log.lines.count { $0.hasPrefix("begin") }
      expectEqual(begun, log.lines.count { $0.hasPrefix("end") })
    }
  }
}
