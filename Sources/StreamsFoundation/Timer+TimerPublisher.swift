import Foundation
import Streams

extension Timer {
  /// A publisher of the date, again and again, once it is connected.
  ///
  /// ```swift
  /// Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { print($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The seconds from one date to the next; a ten-thousandth if that is not positive.
  ///   - tolerance: How many seconds later a date may come; if `nil`, the timer's default.
  ///   - runLoop: Where the dates come.
  ///   - mode: In which mode of the run loop.
  ///   - options: There are none.
  /// - Returns: A publisher that never ends.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
    in mode: RunLoop.Mode, options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(
      interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }

  /// Publishes the date, again and again, while it is connected.
  ///
  /// The first date comes an interval after the connection. Each connection has a timer of its own,
  /// and all subscribers get the dates of all of them. A timer runs until its connection is
  /// cancelled, as with Combine: releasing what ``connect()`` has returned does not stop it. But
  /// when there is neither a subscriber nor this publisher any more, it stops too.
  ///
  /// - Demand: a date that a subscriber has not requested is dropped for that subscriber.
  /// - Threads: dates arrive on the thread that runs the run loop. Any thread may subscribe, request,
  ///   cancel and connect.
  /// - Cancellation: of a subscription ends that subscription; of a connection its timer. Nobody is
  ///   told.
  ///
  /// ## In a scenario
  ///
  /// The main run loop's timers run on the world's clock: there are no dates between two intervals,
  /// none is late, and the date is that of the clock, which has begun with the reference date:
  /// January 1, 2001 at midnight, UTC, and so many seconds. A timer is something that the world
  /// waits for, like a request. So a part ends only when its timers have been cancelled, for
  /// instance by `world.at(_:_:)`; the world reports a timer that nobody cancels, rather than stop
  /// it somewhere. It runs in the default and in the common modes; for another mode, or another run
  /// loop, there is a report, and no timer.
  ///
  /// Source of the rules: `Timer.TimerPublisher` of Apple's Foundation.
  public final class TimerPublisher: ConnectablePublisher {
    public typealias Output = Date
    public typealias Failure = Never

    /// The seconds from one date to the next.
    public let interval: TimeInterval

    /// How many seconds later a date may come.
    public let tolerance: TimeInterval?

    /// Where the dates come.
    public let runLoop: RunLoop

    /// In which mode of the run loop.
    public let mode: RunLoop.Mode

    /// There are no options.
    public let options: RunLoop.SchedulerOptions?

    private let hub = TimerHub()

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - interval: The seconds from one date to the next; a ten-thousandth if that is not
    ///     positive.
    ///   - tolerance: How many seconds later a date may come; if `nil`, the timer's default.
    ///   - runLoop: Where the dates come.
    ///   - mode: In which mode of the run loop.
    ///   - options: There are none.
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

    /// Attaches the subscriber, who gets dates while there is a connection.
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
    /// - Returns: Stops the timer when it is cancelled.
    public func connect() -> any Cancellable {
      let connection = TimerConnection(hub)
      hub.add(connection)
      // As Foundation does.
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

/// The subscribers of a timer's publisher, and its connections. It goes when there is no publisher
/// and no subscriber any more; the timers go with it.
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

  /// Offers a date to all who have subscribed by now, in that order.
  func send(_ date: Date) {
    for listener in listeners.withLock({ $0 }) { listener.offer(date) }
  }
}

/// A connection with its timer, for as long as it is not cancelled.
///
/// `@unchecked`: the timer's token is behind the lock, and cancelled once; any thread may do that.
private final class TimerConnection: Cancellable, @unchecked Sendable {
  private enum State {
    case starting
    case running(any Cancellable)
    case cancelled
  }

  private weak let hub: TimerHub?
  private let state = Locked(State.starting)

  init(_ hub: TimerHub) { self.hub = hub }

  /// Keeps what stops the timer, unless it is to be stopped already.
  func keep(_ timer: any Cancellable) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(timer)
      return false
    }
    if isCancelled { timer.cancel() }
  }

  /// A timer that was due before the cancellation may call later than that.
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
