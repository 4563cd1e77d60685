extension Publisher {
  /// Delivers a value once no newer one has arrived for `dueTime`.
  ///
  /// ```swift
  /// let typed = PassthroughSubject<String, Never>()
  /// typed.debounce(for: .milliseconds(300), scheduler: clock).sink { print($0) }
  /// // "S" at 0 ms, "Sw" at 100 ms, "Swift" at 200 ms: prints "Swift" at 500 ms
  /// ```
  ///
  /// Each value replaces the pending one and restarts the wait. When upstream ends, the pending
  /// value is dropped, and the completion is delivered on the scheduler without a wait. Follows
  /// Combine's `debounce(for:scheduler:options:)`.
  ///
  /// - Demand: requests all of upstream's values. A value that isn't requested by the time it's due
  ///   is dropped.
  /// - Threads: values and the completion are delivered on the scheduler, one at a time. Upstream
  ///   can send on any thread, and you can request and cancel on any thread.
  /// - Cancellation: removes the timer from the scheduler. A completion that's already on its way
  ///   is delivered.
  ///
  /// - Parameters:
  ///   - dueTime: How long to wait for a newer value, in the scheduler's time. With zero or less, a
  ///     value only waits for its turn on the scheduler.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: The options to pass to the scheduler with each wait, but not with the completion.
  /// - Returns: A publisher of those values, with the same failure type.
  public func debounce<S>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> where S: Scheduler {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that waits until no newer value has arrived; see
  /// ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let dueTime: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        DebounceDelivery(
          countdown: Countdown(dueTime, on: scheduler, options: options), scheduler: scheduler,
          downstream: subscriber))
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}

/// The subscriber behind `debounce`. The pending value is the payload of the countdown, so each
/// generation has at most one value, and a value that was claimed can't be replaced any more.
private final class DebounceDelivery<Context: Scheduler, Downstream: Subscriber>:
  GatedDelivery<Downstream>, Subscriber
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private let countdown: Countdown<Context, Input>
  private let scheduler: Context
  private let credit = DemandCredit()

  init(countdown: Countdown<Context, Input>, scheduler: Context, downstream: Downstream) {
    (self.countdown, self.scheduler) = (countdown, scheduler)
    super.init("Debounce", downstream: downstream)
  }

  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    handOver()
    forward(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if isActive { countdown.restart(with: input, onDue: due) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard acceptCompletion() else { return }
    countdown.stop()
    scheduler.schedule { self.deliver(completion) }
  }

  override func request(_ demand: Subscribers.Demand) { credit.add(demand) }

  override func release() {
    countdown.stop()
    super.release()
  }

  /// Claims the value inside the gate, so that a value that's due later can't be delivered first.
  private func due(_ generation: Int) {
    inside {
      if let value = countdown.claim(generation), credit.take() { credit.add(pass(value)) }
    }
  }
}
