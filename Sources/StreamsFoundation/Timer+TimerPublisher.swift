import Foundation
import Streams

extension Timer {
  /// Returns a publisher that repeatedly publishes the current date once it's connected.
  ///
  /// ```swift
  /// Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { print($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The seconds from one date to the next. If it isn't positive, 0.0001 is used.
  ///   - tolerance: How many seconds late a date may be; if `nil`, the timer's default.
  ///   - runLoop: The run loop that delivers the dates.
  ///   - mode: The run loop mode in which the timer runs.
  ///   - options: Leave this out: a run loop has no options.
  /// - Returns: A publisher that never ends.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
    in mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(
      interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }

  /// A publisher that repeatedly publishes the current date while it's connected.
  ///
  /// The first date arrives one interval after the connection. Each connection has its own timer,
  /// and every subscriber gets the dates of all timers. A timer runs until its connection is
  /// cancelled. As in Combine, releasing the object that ``connect()`` returns doesn't stop the
  /// timer. But when this publisher and all its subscribers are gone, the timers stop too.
  ///
  /// - Demand: a date that a subscriber hasn't requested is dropped for that subscriber.
  /// - Threads: dates arrive on the thread that runs the run loop. Any thread may subscribe,
  ///   request, cancel and connect.
  /// - Cancellation: cancelling a subscription ends that subscription. Cancelling a connection ends
  ///   its timer, and subscribers get no completion.
  ///
  /// ## In a scenario
  ///
  /// The main run loop's timers run on the world's clock. Dates arrive exactly at each interval,
  /// never late. Each date is the clock's: it starts at the reference date, January 1, 2001 at
  /// midnight, UTC.
  ///
  /// The world waits for a timer, as it does for a request. So a part ends only when you've
  /// cancelled its timers, for instance in `world.at(_:_:)`. The world reports a timer that isn't
  /// cancelled, instead of stopping it at some point. A timer runs in the default and in the common
  /// modes. For another mode or another run loop you get a report, and no timer.
  ///
  /// Source of the rules: `Timer.TimerPublisher` of Apple's Foundation.
  public final class TimerPublisher: ConnectablePublisher {
    public typealias Output = Date
    public typealias Failure = Never

    /// The seconds from one date to the next.
    public let interval: TimeInterval

    /// How many seconds late a date may be; if `nil`, the timer's default.
    public let tolerance: TimeInterval?

    /// The run loop that delivers the dates.
    public let runLoop: RunLoop

    /// The run loop mode in which the timer runs.
    public let mode: RunLoop.Mode

    /// The options: a run loop has none.
    public let options: RunLoop.SchedulerOptions?

    private let hub = TimerHub()

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - interval: The seconds from one date to the next. If it isn't positive, 0.0001 is used.
    ///   - tolerance: How many seconds late a date may be; if `nil`, the timer's default.
    ///   - runLoop: The run loop that delivers the dates.
    ///   - mode: The run loop mode in which the timer runs.
    ///   - options: Leave this out: a run loop has no options.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop,
      mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches the subscriber. It gets dates while there is a connection.
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Failure == Failure, S.Input == Output {
      let listener = SubscriberListener("Timer", downstream: subscriber)
      listener.attach { [hub] listener in
        hub.add(listener)
        let id = ObjectIdentifier(listener)
        return { hub.remove(id) }
      }
    }

    /// Starts a timer.
    ///
    /// - Returns: Cancel this to stop the timer. Releasing it doesn't.
    public func connect() -> any Cancellable {
      let connection = TimerConnection(hub)
      hub.add(connection)
      // Foundation replaces a non-positive interval by the same value.
      let interval = RunLoop.SchedulerTimeType.Stride(interval > 0 ? interval : 0.000_1)
      let timer = runLoop.schedule(
        after: runLoop.now.advanced(by: interval), interval: interval,
        tolerance: tolerance.map { .init($0) } ?? runLoop.minimumTolerance, in: mode
      ) { [runLoop, connection] in connection.tick(runLoop.now.date) }
      connection.keep(timer)
      return connection
    }
  }
}

/// The subscribers and connections of a timer publisher. It's released with the last of the
/// publisher and its subscribers, and cancels the timers then.
private final class TimerHub: Sendable {
  private let listeners = Locked<[Listener<Date>]>([])
  private let connections = Locked<[TimerConnection]>([])

  deinit { for connection in connections.withLock({ $0 }) { connection.cancel() } }

  func add(_ listener: Listener<Date>) { listeners.withLock { $0.append(listener) } }

  func remove(_ id: ObjectIdentifier) {
    // Released outside the lock.
    _ = listeners.withLock { listeners in
      listeners.firstIndex { ObjectIdentifier($0) == id }.map { listeners.remove(at: $0) }
    }
  }

  func add(_ connection: TimerConnection) { connections.withLock { $0.append(connection) } }

  func remove(_ connection: TimerConnection) {
    connections.withLock { $0.removeAll { $0 === connection } }
  }

  /// Offers a date to all current subscribers, in the order in which they subscribed.
  func send(_ date: Date) {
    for listener in listeners.withLock({ $0 }) { listener.offer(date) }
  }
}

/// A connection, which holds its timer until it's cancelled.
///
/// `@unchecked`: the timer's token is behind the lock and is cancelled once, from any thread.
private final class TimerConnection: Cancellable, @unchecked Sendable {
  private enum State {
    case starting
    case running(any Cancellable)
    case cancelled
  }

  private weak let hub: TimerHub?
  private let state = Locked(State.starting)

  init(_ hub: TimerHub) { self.hub = hub }

  /// Stores the timer's token, or cancels the timer if the connection was already cancelled.
  func keep(_ timer: any Cancellable) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(timer)
      return false
    }
    if isCancelled { timer.cancel() }
  }

  /// Sends a date, unless the connection was cancelled: a timer that was due before may still fire.
  func tick(_ date: Date) {
    if case .cancelled = state.withLock({ $0 }) { return }
    hub?.send(date)
  }

  func cancel() {
    let former = state.withLock { state in
      defer { state = .cancelled }
      return state
    }
    if case .running(let timer) = former { timer.cancel() }
    hub?.remove(self)
  }
}
