import Streams
import TestSupport
import Testing
import VirtualTime

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

  /// Cancels, and runs what was scheduled before, because the clock would keep it.
  func end() {
    history.cancel()
    clock.advance()
    #expect(clock.pendingWork.isEmpty)
    inside = nil
    history.onValue = nil
    history.onCompletion = nil
  }
}
