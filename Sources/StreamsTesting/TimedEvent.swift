import Streams
import VirtualTime

/// An event of a stream, and the virtual time at which it happens.
///
/// You write timed events to script a source, and a ``Recorder`` records them:
///
/// ```swift
/// let source = clock.cold([.value("a", at: .milliseconds(10)), .finished(at: .seconds(1))])
/// let recorder = source.record(on: clock)
/// clock.run()
/// recorder.events
/// // [.subscription(at: .zero), .value("a", at: .milliseconds(10)), .finished(at: .seconds(1))]
/// ```
///
/// Two events are equal if their times and kinds are. Errors are compared with `==` if they are
/// `Equatable`, and by their texts (see `stableText(_:)`) if they aren't.
public struct TimedEvent<Output, Failure: Error> {
  /// The kinds of events.
  public enum Kind {
    /// The subscriber received its subscription.
    case subscription
    /// A value was delivered.
    case value(Output)
    /// The stream finished.
    case finished
    /// The stream failed.
    case failure(Failure)
    /// The subscriber cancelled.
    case cancelled
  }

  /// When it happens.
  public let time: VirtualTime

  /// The kind of event.
  public let kind: Kind

  /// Makes an event.
  public init(_ kind: Kind, at time: VirtualTime) {
    self.kind = kind
    self.time = time
  }
}

extension TimedEvent {
  /// The subscriber receives its subscription.
  public static func subscription(at time: VirtualTime) -> Self { Self(.subscription, at: time) }

  /// A value is delivered.
  public static func value(_ value: Output, at time: VirtualTime) -> Self {
    Self(.value(value), at: time)
  }

  /// The stream finishes.
  public static func finished(at time: VirtualTime) -> Self { Self(.finished, at: time) }

  /// The stream fails.
  public static func failure(_ error: Failure, at time: VirtualTime) -> Self {
    Self(.failure(error), at: time)
  }

  /// The subscriber cancels.
  public static func cancelled(at time: VirtualTime) -> Self { Self(.cancelled, at: time) }

  /// Whether nothing comes after it.
  var isEnd: Bool {
    switch kind {
    case .finished, .failure: true
    case .value, .subscription, .cancelled: false
    }
  }

  /// The same event at another time.
  func moved(to time: VirtualTime) -> Self { Self(kind, at: time) }
}

extension TimedEvent: Equatable where Output: Equatable {
  /// Whether both happen at the same time and are of the same kind, with equal contents.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.time == rhs.time && lhs.kind == rhs.kind
  }
}

extension TimedEvent.Kind: Equatable where Output: Equatable {
  /// Whether both are of the same kind, with equal contents.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.subscription, .subscription), (.finished, .finished), (.cancelled, .cancelled): true
    case (.value(let first), .value(let second)): first == second
    case (.failure(let first), .failure(let second)): areEqual(first, second)
    default: false
    }
  }
}

extension TimedEvent: Sendable where Output: Sendable {}
extension TimedEvent.Kind: Sendable where Output: Sendable {}

extension TimedEvent: CustomStringConvertible {
  /// The event and its time, such as `value 1 at 10ms`.
  public var description: String { "\(kind) at \(time)" }
}

extension TimedEvent.Kind: CustomStringConvertible {
  /// The event, such as `value 1`, `failure timedOut` or `cancelled`.
  public var description: String {
    switch self {
    case .subscription: "subscription"
    case .value(let value): "value \(shortText(of: value))"
    case .finished: "finished"
    case .failure(let error): "failure \(shortText(of: error))"
    case .cancelled: "cancelled"
    }
  }
}
