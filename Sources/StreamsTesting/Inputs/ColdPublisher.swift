import Streams
import Testing
import VirtualTime

/// A source that plays the same events to each subscriber, counted from its time of subscription.
///
/// ```swift
/// let source = clock.cold("-a-b|", ["a": 1, "b": 2])
/// let recorder = source.map { $0 * 10 }.record(on: clock)
/// clock.run()
/// expectMarbles(recorder, "-a-b|", ["a": 10, "b": 20])
/// expectSubscriptions(source, ["^---|"])
/// ```
///
/// - Demand: a value that is due without demand waits, and so does the completion behind it. It's
///   delivered when the subscriber requests it. Its recorded time then shows the delay, and
///   ``waitingValues`` shows what still waits. A completion with no values before it needs no
///   demand.
/// - Time: events are work on the clock, in the order in which subscribers subscribed. An event at
///   zero isn't sent in the call that subscribes, but when the clock runs next. A cancelled
///   subscription leaves no work on the clock.
/// - Threads: any thread may subscribe, request and cancel. Deliveries to a subscriber are
///   serialised and never nested.
///
/// Source of the rules: the cold observables of RxJS's test scheduler, which have no demand. Values
/// wait as in the sequence publisher of Combine.
public final class ColdPublisher<Output, Failure: Error>: Publisher {
  private let clock: VirtualTimeScheduler
  private let script: TimedScript<Output, Failure>
  private let location: SourceLocation
  /// What a move calls it.
  private let name: String
  private let deliveries = Locked<[TimedDelivery<Output, Failure>]>([])

  init(
    _ script: TimedScript<Output, Failure>, on clock: VirtualTimeScheduler, as name: String?,
    location: SourceLocation
  ) {
    self.clock = clock
    self.script = script
    self.location = location
    self.name = clock.script.nameOfInput(name)
  }

  /// Makes a source from events. If they aren't possible, that's reported as an issue.
  convenience init(
    _ events: [TimedEvent<Output, Failure>], on clock: VirtualTimeScheduler, as name: String?,
    location: SourceLocation
  ) {
    let script = TimedScript.reporting(at: location) { try TimedScript(events, from: .zero) }
    self.init(script, on: clock, as: name, location: location)
  }

  /// All subscriptions so far, in order.
  public var subscriptions: [TimedSubscription] {
    deliveries.withLock { $0 }.map(\.record)
  }

  /// The values that were due without demand and still wait, by subscription.
  public var waitingValues: [[Output]] { deliveries.withLock { $0 }.map(\.waiting) }

  /// Starts the events for one more subscriber.
  public func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    let delivery = TimedDelivery(
      "ColdPublisher", subscriber, surplus: .waits, on: clock,
      report: { [location] in reportIssue($0, at: location) })
    deliveries.withLock { $0.append(delivery) }
    // Before the subscriber gets its subscription, because it may subscribe to other sources then.
    let number = clock.script.count("subscription to \(name)")
    let moved = script.starting(at: clock.now).moved(
      by: clock.script, as: name, suffix: number == 1 ? "" : " #\(number)", at: location,
      from: clock.now)
    for (due, events) in moved.instants {
      delivery.keep(
        clock.scheduleOnce(at: due, label: "ColdPublisher", location) {
          for event in events { delivery.send(event) }
        })
    }
    delivery.handOver()
  }
}

// Everything that changes is behind locks.
extension ColdPublisher: @unchecked Sendable where Output: Sendable {}
