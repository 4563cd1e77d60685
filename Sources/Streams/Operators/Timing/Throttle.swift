extension Publisher {
  /// Delivers at most one value per interval.
  ///
  /// ```swift
  /// let positions = PassthroughSubject<Int, Never>()
  /// positions.throttle(for: .seconds(1), scheduler: clock, latest: true).sink { print($0) }
  /// // 1 at 0 s, 2 at 200 ms, 3 at 600 ms: prints "1" at 0 s and "3" at 1 s
  /// ```
  ///
  /// The first value goes out at the scheduler's next opportunity, and opens an interval. Of the
  /// values that arrive in it, one goes out when it ends, and opens the next. After an interval
  /// without a value, the next value doesn't wait for an interval either. If more values arrive
  /// before the scheduler gets round to that delivery, as two that are sent in one go do, it's
  /// still one delivery: of the latest value, or of the first. Follows Combine's
  /// `throttle(for:scheduler:latest:)`.
  ///
  /// - Demand: requests all of upstream's values. A value takes one from downstream's demand when
  ///   it arrives, and without demand it's dropped. A later value of the same interval takes its
  ///   place, and so needs no demand of its own.
  /// - Completion: follows the value that waits, at that value's time. If none waits, it's
  ///   delivered at the scheduler's next opportunity. That holds for failures too.
  /// - Threads: values and the completion are delivered on the scheduler, one at a time. Upstream
  ///   can send on any thread, and you can request and cancel on any thread.
  /// - Cancellation: drops the value that waits, and a completion that's on its way. The scheduler
  ///   doesn't keep the stream alive: if you release it, the value that waits isn't delivered.
  ///
  /// - Parameters:
  ///   - interval: The shortest time between two values, in the scheduler's time. With zero or
  ///     less, each value goes out at once.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - latest: Whether to deliver the latest value of an interval. If not, the first.
  /// - Returns: A publisher of those values, with the same failure type.
  public func throttle<S>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> where S: Scheduler {
    Publishers.Throttle(
      upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// A publisher of at most one value per interval; see
  /// ``Publisher/throttle(for:scheduler:latest:)``.
  public struct Throttle<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let latest: Bool

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        ThrottleDelivery(
          interval: interval, scheduler: scheduler, latest: latest, downstream: subscriber))
    }
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

/// The value that waits for the end of an interval, and the moment at which the interval began.
struct ThrottlingState<Value, Failure: Error, Moment> {
  var waiting: Value?

  /// The completion that follows the waiting value.
  var end: Subscribers.Completion<Failure>?

  /// The moment of the last delivery.
  var last: Moment?
}

/// The subscriber behind `throttle`. A delivery is scheduled when a value begins to wait, so at
/// most one is scheduled at any time.
final class ThrottleDelivery<Context: Scheduler, Downstream: Subscriber>:
  RevocableDelivery<Downstream>, Subscriber
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context
  let latest: Bool
  let credit = DemandCredit()
  let state = Locked(ThrottlingState<Input, Failure, Context.SchedulerTimeType>())

  init(
    interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool,
    downstream: Downstream
  ) {
    (self.interval, self.scheduler, self.latest) = (interval, scheduler, latest)
    super.init("Throttle", downstream: downstream)
  }

  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    handOver()
    forward(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard isActive else { return .none }
    let (begins, last, replaced) = state.withLock {
      state -> (Bool, Context.SchedulerTimeType?, Input?) in
      if state.waiting == nil {
        guard credit.take() else { return (false, nil, nil) }
        state.waiting = input
        return (true, state.last, nil)
      }
      guard latest else { return (false, nil, nil) }
      defer { state.waiting = input }
      return (false, nil, state.waiting)
    }
    _ = replaced
    if begins { schedule(after: last) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard acceptCompletion() else { return }
    let isAlone = state.withLock { state in
      guard state.waiting != nil else { return true }
      state.end = completion
      return false
    }
    guard isAlone else { return }
    scheduler.schedule { [weak self] in self?.deliver(completion) }
  }

  override func request(_ demand: Subscribers.Demand) { credit.add(demand) }

  override func release() {
    let dropped = state.withLock { state in
      defer { state = ThrottlingState() }
      return state
    }
    super.release()
    _ = dropped
  }

  /// Schedules the delivery of the waiting value for the end of the interval that began with the
  /// last delivery.
  func schedule(after last: Context.SchedulerTimeType?) {
    // This scheduler would run the action right here. So there's nothing to keep weakly, which
    // would cost more than all the rest.
    if Context.self == ImmediateScheduler.self { return deliverWaiting() }
    let now = scheduler.now
    let due = last.map { max(now, $0.advanced(by: interval)) } ?? now
    if due == now {
      scheduler.schedule { [weak self] in self?.deliverWaiting() }
    } else {
      scheduler.schedule(after: due) { [weak self] in self?.deliverWaiting() }
    }
  }

  /// Takes the value inside the gate, so that the value of a later interval can't be delivered
  /// first.
  func deliverWaiting() {
    let now = scheduler.now
    inside {
      let (value, end) = state.withLock { state in
        state.last = now
        return (state.waiting.take(), state.end.take())
      }
      if let value { credit.add(pass(value)) }
      if let end { pass(end) }
    }
  }
}
