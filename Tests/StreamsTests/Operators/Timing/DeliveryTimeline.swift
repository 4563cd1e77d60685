import Streams
import StreamsTesting
import TestSupport
import Testing
import VirtualTime

/// Sends marbles through an operator on a virtual clock, and compares what comes out.
///
/// A frame is a millisecond, each letter stands for itself, and `#` is the failure.
func expectMarbles(
  _ input: String, _ output: String, failure: TestError = "no more",
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
  _ apply: (HotPublisher<String, TestError>, VirtualTimeScheduler)
    -> some Publisher<String, TestError>
) {
  let clock = VirtualTimeScheduler { Issue.record("\($0)") }
  let recorder = apply(clock.hot(input, failure: failure), clock).record(on: clock)
  clock.run()
  expectMarbles(
    recorder, output, failure: failure, fileID: fileID, filePath: filePath, line: line,
    column: column)
  // A stream that hasn't ended holds its subscriber, which holds the stream.
  recorder.cancel()
}

/// A source in front of an operator on a virtual clock, and a log of the moments of delivery.
final class DeliveryTimeline<Value: Equatable>: @unchecked Sendable {
  // One thread uses it.
  typealias Source = ScriptedPublisher<Int, TestError>

  let clock = VirtualTimeScheduler { Issue.record("\($0)") }
  let source = Source()
  let log = CallLog()
  let history: History<Value, TestError>
  /// Runs within each delivery.
  var inside: ((Value) -> Subscribers.Demand)?

  init(
    demand: Subscribers.Demand = .unlimited,
    _ apply: (Source, VirtualTimeScheduler) -> some Publisher<Value, TestError>
  ) {
    history = History(demand: demand)
    history.onValue = { [unowned self] value in
      log.append("\(clock.now): \(value)")
      return inside?(value) ?? .none
    }
    history.onCompletion = { [unowned self] in log.append("\(clock.now): \($0)") }
    apply(source, clock).subscribe(history)
  }

  /// Schedules values, so that the test can run the clock.
  func send(_ values: [(milliseconds: Int, value: Int)]) {
    for (time, value) in values {
      clock.schedule(after: .milliseconds(time)) { [source] in source.send(value) }
    }
  }

  /// Compares the moments and the deliveries, and ends.
  func expect(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    log.expect(lines, sourceLocation: sourceLocation)
    end(sourceLocation: sourceLocation)
  }

  /// Cancels, and runs what was scheduled before, because the clock would keep it.
  func end(sourceLocation: SourceLocation = #_sourceLocation) {
    history.cancel()
    clock.advance()
    expectEqual(clock.pendingWork.count, 0, sourceLocation: sourceLocation)
    inside = nil
    history.onValue = nil
    history.onCompletion = nil
  }
}
