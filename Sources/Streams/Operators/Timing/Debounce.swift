extension Publisher {
  /// Delivers a value when it has been the last one for a while.
  ///
  /// ```swift
  /// let typed = PassthroughSubject<String, Never>()
  /// typed.debounce(for: .milliseconds(300), scheduler: clock).sink { print($0) }
  /// // "S" at 0 ms, "Sw" at 100 ms, "Swift" at 200 ms: prints "Swift" at 500 ms
  /// ```
  ///
  /// Each value replaces the one that waits, and starts the wait again. When upstream ends, the value
  /// that waits is dropped, and the end is delivered on the scheduler without a wait. Source of the rules: Combine's `debounce(for:scheduler:options:)`.
  ///
  /// - Demand: everything is requested of upstream. A value that wasn't requested by the time it is
  ///   due is dropped.
  /// - Threads: values and the end come on the scheduler, one at a time. Upstream may send on any
  ///   thread, and you may request and cancel on any thread.
  /// - Cancellation: takes the wait off the scheduler. An end that is on its way is delivered.
  ///
  /// - Parameters:
  ///   - dueTime: How long a value has to be the last one, in the scheduler's time. With zero or
  ///     less it waits for its turn on the scheduler only.
  ///   - scheduler: Counts the time, and delivers.
  ///   - options: Handed to the scheduler with each wait, but not with the end.
  /// - Returns: A publisher of those values, and of the same failures.
  public func debounce<S>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> where S: Scheduler {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher of values that were the last one for a while; see
  /// ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher of the values.
    public let upstream: Upstream

    /// How long a value has to be the last one.
    public let dueTime: Context.SchedulerTimeType.Stride

    /// The scheduler that counts the time, and delivers.
    public let scheduler: Context

    /// The options of each wait.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that ``Publisher/debounce(for:scheduler:options:)`` returns.
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        DebounceDelivery(
          countdown: Countdown(dueTime, on: scheduler, options: options), scheduler: scheduler,
          downstream: subscriber))
    }
  }
}

/// The subscriber behind `debounce`. The value that waits is the load of the countdown, so there is at
/// most one for each setting, and a value that was claimed isn't replaced any more.
private final class DebounceDelivery<Context: Scheduler, Downstream: Subscriber>:
  GatedDelivery<Downstream>, Subscriber
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let countdown: Countdown<Context, Input>
  private let scheduler: Context
  private let credit = DemandCredit()

  init(countdown: Countdown<Context, Input>, scheduler: Context, downstream: Downstream) {
    self.countdown = countdown
    self.scheduler = scheduler
    super.init("Debounce", downstream: downstream)
  }

  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    handOver()
    forward(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if isActive { countdown.restart(leaving: input, onDue: due) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard beginCompletion() != nil else { return }
    countdown.stop()
    scheduler.schedule { self.deliver(completion, behind: 0) }
  }

  override func request(_ demand: Subscribers.Demand) { credit.add(demand) }

  override func release() {
    countdown.stop()
    super.release()
  }

  /// Claims inside the gate, so that a value that is due later can't be delivered first.
  private func due(_ setting: Int) {
    let wasOutside = gate.enter()
    if let value = countdown.claim(setting), credit.take() { credit.add(pass(value)) }
    if wasOutside { leave() }
  }
}
