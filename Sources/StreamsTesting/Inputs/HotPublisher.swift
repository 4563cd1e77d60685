import Streams
import Testing
import VirtualTime

/// A source that sends its events at fixed times of the clock, whether or not it has subscribers.
///
/// ```swift
/// let source = clock.hot("-a-b-c|", ["a": 1, "b": 2, "c": 3])
/// clock.advance(by: .milliseconds(2))
/// let recorder = source.record(on: clock)
/// clock.run()
/// expectMarbles(recorder, "---b-c|", ["b": 2, "c": 3])
/// expectSubscriptions(source, ["--^---|"])
/// ```
///
/// - Demand: a value that is due without demand is dropped for that subscriber, as in
///   `PassthroughSubject`. ``droppedValues`` shows it. The completion needs no demand. A subscriber
///   that comes after the completion gets only the completion.
/// - Time: all events become work on the clock when you make the source. So at one instant, they're
///   sent before work that is scheduled later.
/// - Threads: any thread may subscribe, request and cancel. Deliveries to a subscriber are
///   serialised and never nested.
///
/// Source of the rules: the hot observables of RxJS's test scheduler, which have no demand.
public final class HotPublisher<Output, Failure: Error>: Publisher {
  private struct State {
    var deliveries: [TimedDelivery<Output, Failure>] = []
    var end: TimedEvent<Output, Failure>?
  }

  private let clock: VirtualTimeScheduler
  private let location: SourceLocation
  private let state = Locked(State())

  init(
    _ script: TimedScript<Output, Failure>, on clock: VirtualTimeScheduler, as name: String?,
    location: SourceLocation
  ) {
    self.clock = clock
    self.location = location
    var options = VirtualTimeScheduler.Options(
      label: "HotPublisher", fileID: location.fileID, line: location.line)
    options.orderSource = OrderSource(
      "the HotPublisher of \(location.fileName):\(location.line)",
      of: self)
    let moved = script.moved(
      by: clock.script, as: clock.script.nameOfInput(name), at: location, from: clock.now)
    for (time, events) in moved.instants {
      clock.schedule(after: time, tolerance: .zero, options: options) {
        for event in events { self.send(event) }
      }
    }
  }

  /// Makes a source from events. If they aren't possible, that's reported as an issue.
  convenience init(
    _ events: [TimedEvent<Output, Failure>], on clock: VirtualTimeScheduler, as name: String?,
    location: SourceLocation
  ) {
    let script = TimedScript.reporting(at: location) { try TimedScript(events, from: clock.now) }
    self.init(script, on: clock, as: name, location: location)
  }

  /// All subscriptions so far, in order.
  public var subscriptions: [TimedSubscription] {
    state.withLock { $0.deliveries }.map(\.record)
  }

  /// The values that were due without demand, by subscription, with the times when they were due.
  public var droppedValues: [[TimedEvent<Output, Failure>]] {
    state.withLock { $0.deliveries }.map(\.dropped)
  }

  /// Adds a subscriber.
  public func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    let delivery = TimedDelivery(
      "HotPublisher", subscriber, surplus: .isDropped, on: clock,
      report: { [location] in reportIssue($0, at: location) })
    let end = state.withLock { state in
      state.deliveries.append(delivery)
      return state.end
    }
    if let end { delivery.send(end) }
    delivery.handOver()
  }

  private func send(_ event: TimedEvent<Output, Failure>) {
    let deliveries = state.withLock { state in
      switch event.kind {
      case .finished, .failure: state.end = event
      case .value, .subscription, .cancelled: break
      }
      return state.deliveries
    }
    for delivery in deliveries { delivery.send(event) }
  }
}

// Everything that changes is behind locks.
extension HotPublisher: @unchecked Sendable where Output: Sendable {}
