extension Publisher {
  /// Delivers values and the completion after a delay, on a scheduler.
  ///
  ///     clicks.delay(for: .milliseconds(300), scheduler: clock)
  ///
  /// Each value is delayed by the same interval, and so is the completion, even a failure. The
  /// subscription and requests aren't delayed. Values keep their order, with the completion last,
  /// on a scheduler with several threads too. If a scheduler drops an action, that value isn't
  /// delivered. Follows Combine's `delay(for:tolerance:scheduler:options:)`.
  ///
  /// - Parameters:
  ///   - interval: The delay, in the scheduler's time.
  ///   - tolerance: How much later a delivery can be. If `nil`, the scheduler's minimum tolerance.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: The options to pass to the scheduler with each delivery.
  /// - Returns: A publisher of the same values, with the same demand.
  public func delay<S>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> where S: Scheduler {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers after a delay; see
  /// ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let tolerance: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        DelayedDelivery(scheduler: DelayingScheduler(self), downstream: subscriber))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}

/// Schedules actions after the interval of a `delay`.
private struct DelayingScheduler<Context: Scheduler> {
  // Not the publisher itself, because a subscription must not keep its upstream publisher alive.
  let interval: Context.SchedulerTimeType.Stride
  let tolerance: Context.SchedulerTimeType.Stride
  let scheduler: Context
  let options: Context.SchedulerOptions?

  init<Upstream>(_ delay: Publishers.Delay<Upstream, Context>) {
    interval = delay.interval
    tolerance = delay.tolerance
    scheduler = delay.scheduler
    options = delay.options
  }

  func schedule(_ action: @escaping () -> Void) {
    scheduler.schedule(
      after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
  }
}

/// The subscriber behind `delay`. It accepts signals at once, and schedules a turn for each one.
///
/// A scheduler may run a later turn first: several threads may, and so does a serial dispatch queue
/// for a date that has just passed. So a turn delivers its own signal and all earlier ones. They're
/// due too, and nothing is left to do in their own turns.
///
/// Contract, in addition to that of ``GatedDelivery``:
/// - The subscription, requests and a cancellation pass at once, on the thread they come from.
/// - Once the completion is accepted, a cancellation comes too late: everything accepted is
///   delivered.
/// - Demand that downstream returns is requested after the turn, on the scheduler.
/// - If the scheduler drops a turn instead of running it, the signal is dropped with it.
private final class DelayedDelivery<Context: Scheduler, Downstream: Subscriber>:
  GatedDelivery<Downstream>, Subscriber
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private typealias Signal = DelayedSignals<Input, Failure>.Signal

  private let scheduler: DelayingScheduler<Context>
  private let signals = Locked(DelayedSignals<Input, Failure>())

  init(scheduler: DelayingScheduler<Context>, downstream: Downstream) {
    self.scheduler = scheduler
    super.init("Delay", downstream: downstream)
  }

  // After downstream's last request, only leaving the gate remains.
  static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }

  func receive(subscription: any Subscription) {
    if attach(subscription) { handOver() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if isActive { schedule(.value(input)) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if acceptCompletion() { schedule(.completion(completion)) }
  }

  override func release() {
    _ = signals.withLock { $0.removeAll() }
    super.release()
  }

  private func schedule(_ signal: Signal) {
    let turn = Turn(signals.withLock { $0.append(signal) }, of: self)
    scheduler.schedule { turn.take() }
  }

  private func deliver(through number: Int) {
    var more = Subscribers.Demand.none
    inside {
      var isLast = false
      while !isLast, let next = signals.withLock({ $0.removeFirst(through: number) }) {
        switch next.signal {
        case .value(let value): more += pass(value)
        case .completion(let completion): pass(completion)
        }
        isLast = next.isLast
      }
    }
    if more > 0 { forward(more) }
  }

  private func drop(_ number: Int) {
    _ = signals.withLock { $0.remove(number) }
  }

  /// A scheduled action. It's released after it ran, or when the scheduler drops it.
  private final class Turn {
    private let number: Int
    private let delivery: DelayedDelivery

    /// Changed by the thread that runs the action, which still holds a reference then.
    private var isTaken = false

    init(_ number: Int, of delivery: DelayedDelivery) {
      (self.number, self.delivery) = (number, delivery)
    }

    deinit { if !isTaken { delivery.drop(number) } }

    func take() {
      isTaken = true
      delivery.deliver(through: number)
    }
  }
}

/// The signals that wait for their turn. They are numbered in the order in which they came.
private struct DelayedSignals<Value, Failure: Error> {
  enum Signal {
    case value(Value)
    case completion(Subscribers.Completion<Failure>)
  }

  private var waiting: [Int: Signal] = [:]
  private var end = 0

  /// All signals before this one have been delivered or dropped.
  private var next = 0

  /// - Returns: The number of the signal.
  mutating func append(_ signal: Signal) -> Int {
    defer { end += 1 }
    waiting[end] = signal
    return end
  }

  /// Takes out the first signal that waits, if it isn't later than the signal of a turn.
  ///
  /// - Parameter number: The number of the turn's own signal.
  /// - Returns: The signal, and `isLast`: whether it's the turn's own signal.
  mutating func removeFirst(through number: Int) -> (signal: Signal, isLast: Bool)? {
    while next <= number {
      defer { next += 1 }
      if let signal = waiting.removeValue(forKey: next) { return (signal, next == number) }
    }
    return nil
  }

  /// Takes out a signal, if it still waits.
  mutating func remove(_ number: Int) -> Signal? { waiting.removeValue(forKey: number) }

  /// Takes out all signals.
  mutating func removeAll() -> [Int: Signal] {
    defer { waiting = [:] }
    return waiting
  }
}
