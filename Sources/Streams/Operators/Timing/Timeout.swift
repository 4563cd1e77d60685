extension Publisher {
  /// Ends the stream when no value has come for a while.
  ///
  /// ```swift
  /// answers.timeout(.seconds(5), scheduler: clock, customError: { URLError(.timedOut) })
  /// ```
  ///
  /// The time counts from the subscription, again from the first request, and again from each value.
  /// When it is up, upstream is cancelled, and then the end is delivered. Values that have arrived but
  /// still wait for their turn on the scheduler are dropped. Source of the rules: Combine's
  /// `timeout(_:scheduler:options:customError:)`.
  ///
  /// - Demand: as downstream requests it.
  /// - Threads: values and the end come on the scheduler, one at a time. Upstream may send on any
  ///   thread, and you may request and cancel on any thread.
  /// - Cancellation: takes the wait off the scheduler. Nothing more is delivered, also not an end
  ///   that was on its way.
  ///
  /// - Parameters:
  ///   - interval: How long to wait for a value, in the scheduler's time.
  ///   - scheduler: Counts the time, and delivers. On an ``ImmediateScheduler`` subscribing traps,
  ///     because there every time is up at once.
  ///   - options: Handed to the scheduler with each wait and each delivery.
  ///   - customError: Makes the error to fail with; if `nil`, the stream finishes.
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
  /// A publisher that ends when no value has come for a while; see
  /// ``Publisher/timeout(_:scheduler:options:customError:)``.
  public struct Timeout<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher of the values.
    public let upstream: Upstream

    /// How long to wait for a value.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that counts the time, and delivers.
    public let scheduler: Context

    /// The options of each wait and each delivery.
    public let options: Context.SchedulerOptions?

    /// Makes the error to fail with; if `nil`, the stream finishes.
    public let customError: (() -> Upstream.Failure)?

    /// Makes the publisher that ``Publisher/timeout(_:scheduler:options:customError:)`` returns.
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

    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        TimeoutDelivery(
          countdown: Countdown(interval, on: scheduler, options: options), scheduler: scheduler,
          options: options, customError: customError, downstream: subscriber))
    }
  }
}

/// The subscriber behind `timeout`. The stream ends with the first of two: upstream's end, or a
/// countdown that is due.
private final class TimeoutDelivery<Context: Scheduler, Downstream: Subscriber>:
  GatedDelivery<Downstream>, Subscriber
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
    super.init("Timeout", cancelsCompletion: true, downstream: downstream)
  }

  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    let wasOutside = gate.enter()
    // Before downstream can request. If the time is up on another thread, that waits for the gate.
    restart()
    isHandedOver = true
    handOver()
    if wasOutside { leave() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard accept() else { return .none }
    restart()
    scheduler.schedule(options: options) {
      let more = self.deliverAccepted(input)
      if more > 0 { self.forward(more) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard beginCompletion() != nil else { return }
    countdown.stop()
    let count = acceptedCount
    scheduler.schedule(options: options) { self.deliver(completion, behind: count) }
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

  private func restart() { countdown.restart(leaving: (), onDue: due) }

  private func due(_ setting: Int) {
    guard countdown.claim(setting) != nil, let upstream = beginCompletion() else { return }
    // A value that arrived meanwhile may have set it again.
    countdown.stop()
    upstream.cancel()
    let wasOutside = gate.enter()
    precondition(isHandedOver, "timeout: this scheduler doesn't wait: use one that does")
    pass(customError.map { .failure($0()) } ?? .finished)
    if wasOutside { leave() }
  }
}
