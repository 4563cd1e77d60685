import Streams
import VirtualTime

/// The record of a run: what happened when, where, in which order and why.
///
/// Pipelines write to it through `recorded(as:on:)`, and anybody else through
/// ``record(_:in:thread:cause:)``. All that is shown of the run comes from its ``recording``.
///
/// ```swift
/// let clock = VirtualTimeScheduler()
/// let timeline = Timeline(clock: clock)
/// let letters = PassthroughSubject<String, Never>()
/// let subscription = letters.recorded(as: .source("letters"), on: timeline).sink { _ in }
/// clock.schedule(after: .milliseconds(300)) { letters.send("a") }
/// clock.run()
/// print(timeline.recording.transcript(), terminator: "")
/// // Prints "    0  letters  subscribed"
/// // Prints "    0  letters  request unlimited"
/// // Prints "300ms  letters  value a"
/// ```
///
/// Any thread may record; events are kept in the order in which they arrive. Time never goes back:
/// what arrives with an earlier time than the last event gets the time of that.
public final class Timeline: Sendable {
  private struct State {
    var recording = Recording()
    var count = 0
    var time = VirtualTime.zero
    var place = 0
    var observers: [@Sendable (Event) -> Void] = []

    mutating func append(
      _ kind: Timeline.Event.Kind, in lane: Timeline.Lane, at now: VirtualTime, thread: String?,
      cause: Int?
    ) -> Timeline.Event {
      // Two threads may read a clock in one order and arrive here in the other.
      let isNewInstant = count == 0 || now > time
      if isNewInstant { time = now }
      place = isNewInstant ? 1 : place + 1
      count += 1
      let event = Timeline.Event(
        number: count, time: time, place: place, lane: lane, kind: kind, thread: thread,
        cause: cause)
      if recording.parts.isEmpty { recording.parts.append(Timeline.Recording.Part()) }
      recording.parts[recording.parts.count - 1].events.append(event)
      return event
    }
  }

  /// The event in the middle of which something runs.
  private struct Cause: Sendable {
    let timeline: ObjectIdentifier
    let number: Int
  }

  @TaskLocal private static var cause: Cause?

  private let now: @Sendable () -> VirtualTime
  private let thread: @Sendable () -> String?
  private let state = Locked(State())

  /// Makes an empty timeline.
  ///
  /// - Parameters:
  ///   - now: Tells the time of each event.
  ///   - thread: Tells the label of the thread that records, or `nil` if it needs none.
  public init(
    now: @escaping @Sendable () -> VirtualTime,
    thread: @escaping @Sendable () -> String? = { nil }
  ) {
    self.now = now
    self.thread = thread
  }

  /// Makes an empty timeline on a virtual clock.
  ///
  /// - Parameters:
  ///   - clock: Tells the time of each event.
  ///   - thread: Tells the label of the thread that records, or `nil` if it needs none.
  public convenience init(
    clock: VirtualTimeScheduler, thread: @escaping @Sendable () -> String? = { nil }
  ) {
    self.init(now: { clock.now }, thread: thread)
  }

  /// What was recorded so far.
  public var recording: Recording { state.withLock { $0.recording } }

  /// Records that something happened now.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - lane: Where it happened.
  ///   - thread: The label of the thread or queue; if `nil`, what the timeline's own `thread` says.
  ///   - cause: The number of the event that led to this one; if `nil`, the event in the middle of
  ///     which this is called (see ``record(_:in:during:)``).
  /// - Returns: The event, whose number may be the cause of others.
  @discardableResult
  public func record(
    _ kind: Event.Kind, in lane: Lane, thread: String? = nil, cause: Int? = nil
  ) -> Event {
    let now = now()
    let thread = thread ?? self.thread()
    let cause = cause ?? currentCause
    let (event, observers) = state.withLock { state in
      (state.append(kind, in: lane, at: now, thread: thread, cause: cause), state.observers)
    }
    for observer in observers { observer(event) }
    return event
  }

  /// Calls an observer with each further event, on the thread that records it.
  public func onEvent(_ observer: @escaping @Sendable (Event) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// Records that something happens now, and makes it the cause of all that is recorded by the
  /// body, on the same thread or in tasks that the body starts.
  ///
  /// - Returns: What the body returns.
  @discardableResult
  public func record<Result>(
    _ kind: Event.Kind, in lane: Lane, during body: () throws -> Result
  ) rethrows -> Result {
    let cause = Cause(timeline: ObjectIdentifier(self), number: record(kind, in: lane).number)
    return try Self.$cause.withValue(cause, operation: body)
  }

  /// Starts a new part, with a heading, of what is recorded.
  public func beginPart(_ title: String) {
    state.withLock { $0.recording.parts.append(Recording.Part(title: title)) }
  }

  private var currentCause: Int? {
    guard let cause = Self.cause, cause.timeline == ObjectIdentifier(self) else { return nil }
    return cause.number
  }
}
