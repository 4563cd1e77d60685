extension Publisher {
  /// Ends the stream if no value arrives for an interval.
  ///
  /// ```swift
  /// responses.timeout(.seconds(5), scheduler: clock, customError: { URLError(.timedOut) })
  /// ```
  ///
  /// The time starts with the subscription, and starts again with the first request and with each
  /// value. When it's up, upstream is cancelled, and then the completion is delivered. Values that
  /// have arrived but still wait for their turn on the scheduler are dropped. Follows Combine's
  /// `timeout(_:scheduler:options:customError:)`.
  ///
  /// - Demand: passes downstream's requests on.
  /// - Threads: values and the completion are delivered on the scheduler, one at a time. Upstream
  ///   can send on any thread, and you can request and cancel on any thread.
  /// - Cancellation: removes the timer from the scheduler. Nothing more is delivered, not even a
  ///   completion that was on its way.
  ///
  /// - Parameters:
  ///   - interval: How long to wait for a value, in the scheduler's time.
  ///   - scheduler: The scheduler that measures the time and delivers. With an
  ///     ``ImmediateScheduler``, subscribing traps, because its time is always up at once.
  ///   - options: The options to pass to the scheduler with each wait and each delivery.
  ///   - customError: Returns the error to fail with. If `nil`, the stream finishes.
  /// - Returns: A publisher of the same values.
  public func timeout<S>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> where S: Scheduler {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options,
      customError: customError)
  }
}

extension Publishers {
  /// A publisher that ends if no value arrives for an interval; see
  /// ``Publisher/timeout(_:scheduler:options:customError:)``.
  public struct Timeout<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    /// The closure that returns the error to fail with. If `nil`, the stream finishes.
    public let customError: (() -> Upstream.Failure)?

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        TimeoutDelivery(
          countdown: Countdown(interval, on: scheduler, options: options), scheduler: scheduler,
          options: options, customError: customError, downstream: subscriber))
    }
  }
}

/// The subscriber behind `timeout`. The stream ends with upstream or when the countdown is due,
/// whichever comes first.
private final class TimeoutDelivery<Context: Scheduler, Downstream: Subscriber>:
  RevocableDelivery<Downstream>, Subscriber
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private let countdown: Countdown<Context, Void>
  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let customError: (() -> Failure)?
  private let isRequested = Locked(false)

  // Touched inside the gate only.
  private var isHandedOver = false

  init(
    countdown: Countdown<Context, Void>, scheduler: Context, options: Context.SchedulerOptions?,
    customError: (() -> Failure)?, downstream: Downstream
  ) {
    self.countdown = countdown
    self.scheduler = scheduler
    self.options = options
    self.customError = customError
    super.init("Timeout", downstream: downstream)
  }

  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    inside {
      // Before downstream can request. If the time is up on another thread, that thread waits for
      // the gate.
      restart()
      isHandedOver = true
      handOver()
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard accept() else { return .none }
    restart()
    scheduler.schedule(options: options) {
      let more = self.deliver(accepted: input)
      if more > 0 { self.forward(more) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard acceptCompletion() else { return }
    countdown.stop()
    scheduler.schedule(options: options) { self.deliver(completion) }
  }

  override func request(_ demand: Subscribers.Demand) {
    let isFirst = isRequested.withLock { isRequested in
      defer { isRequested = true }
      return !isRequested
    }
    if isFirst { restart() }
    forward(demand)
  }

  override func release() {
    countdown.stop()
    super.release()
  }

  private func restart() { countdown.restart(with: (), onDue: due) }

  private func due(_ generation: Int) {
    guard countdown.claim(generation) != nil, isActive, let upstream = end().upstream
    else { return }
    // A value that arrived in the meantime may have restarted the countdown.
    countdown.stop()
    upstream.cancel()
    inside {
      precondition(isHandedOver, "timeout: this scheduler doesn't wait: use one that does")
      pass(customError.map { .failure($0()) } ?? .finished)
    }
  }
}
