extension Publisher {
  /// Collects values, and publishes them in an array after each interval.
  ///
  /// ```swift
  /// readings.collect(.byTimeOrCount(clock, .seconds(1), 2)).sink { print($0) }
  /// // 1, 2 and 3 at 200 ms: prints "[1, 2]" at 200 ms and "[3]" at 1 s
  /// ```
  ///
  /// The intervals start with the subscription and have the same length, whether there are values
  /// or not. With `byTimeOrCount`, an array that has become full doesn't wait for the end of its
  /// interval. An interval without a value publishes nothing. Follows Combine's
  /// `collect(_:options:)`.
  ///
  /// - Demand: unlimited demand goes to upstream as it is. With a limit, `byTime` requests one
  ///   value from upstream for each request, and one more for each value that arrives, even if no
  ///   array is requested. So behind `delay` or `receive(on:)`, a subject's values that come in
  ///   quick succession are lost: put ``Publisher/buffer(size:prefetch:whenFull:)`` in front.
  ///   `byTimeOrCount` multiplies each request by the count. It does the same with demand returned
  ///   for a full array, but doesn't pass on a number returned for a shorter one, as in Combine:
  ///   call `request(_:)` instead. Values wait until an array is requested, however many they are:
  ///   full arrays until then, other values until the interval ends after that.
  /// - Completion: the values that are left are published, even if no array is requested, and then
  ///   the finish. A failure drops them. Both come at the scheduler's next opportunity.
  /// - Threads: arrays and the completion are delivered on the scheduler, one at a time. Upstream
  ///   can send on any thread, and you can request and cancel on any thread.
  /// - Cancellation: ends the timer, and drops all values and a completion that's on its way.
  ///
  /// - Parameters:
  ///   - strategy: The scheduler, the interval in the scheduler's time, and for `byTimeOrCount` the
  ///     largest size of an array. An interval of zero or less is up to the scheduler. Traps if the
  ///     size is less than one.
  ///   - options: The options to pass to the scheduler with the timer and each delivery.
  /// - Returns: A publisher of arrays, none of them empty.
  public func collect<S>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> where S: Scheduler {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// When to publish the values collected so far.
  public enum TimeGroupingStrategy<Context> where Context: Scheduler {
    /// At the end of each interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)

    /// At the end of each interval, and as soon as there are so many.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher that collects values into an array per interval; see
  /// ``Publisher/collect(_:options:)``.
  public struct CollectByTime<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let strategy: Publishers.TimeGroupingStrategy<Context>
    public let options: Context.SchedulerOptions?

    public init(
      upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>,
      options: Context.SchedulerOptions?
    ) {
      if case .byTimeOrCount(_, _, let count) = strategy {
        precondition(count > 0, "collect: the count must be at least 1, not \(count)")
      }
      (self.upstream, self.strategy, self.options) = (upstream, strategy, options)
    }

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        CollectByTimeDelivery<Upstream.Output, _, _>(
          strategy: strategy, options: options, downstream: subscriber))
    }
  }
}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

/// The arrays that wait for their delivery, and the timer.
struct CollectingState<Value> {
  /// The arrays that have become full.
  var full = FIFO<[Value]>()

  /// The values since then.
  var values: [Value] = []

  var timer: (any Cancellable)?

  /// Adds a value.
  ///
  /// - Returns: Whether it has made an array full.
  mutating func append(_ value: Value, limit: Int?) -> Bool {
    values.append(value)
    guard values.count == limit else { return false }
    full.append(values)
    values = []
    return true
  }

  /// Takes out the next array.
  ///
  /// - Parameters:
  ///   - takesShorter: Whether it can be one that isn't full.
  ///   - isWanted: Whether to take it out. Called only if there's one.
  mutating func next(
    takesShorter: Bool, if isWanted: () -> Bool
  ) -> (values: [Value], isFull: Bool)? {
    guard !full.isEmpty || takesShorter && !values.isEmpty, isWanted() else { return nil }
    if let first = full.popFirst() { return (first, true) }
    defer { values = [] }
    return (values, false)
  }
}

/// The subscriber behind `collect(_:options:)`. All arrays go through one queue, so an action that
/// the scheduler runs too early or too late can't change their order.
final class CollectByTimeDelivery<Input, Context: Scheduler, Downstream: Subscriber>:
  RevocableDelivery<Downstream>, Subscriber
where Downstream.Input == [Input] {
  typealias Failure = Downstream.Failure
  let scheduler: Context
  let interval: Context.SchedulerTimeType.Stride

  /// The size of a full array; `nil` if arrays can have any size.
  let limit: Int?

  let options: Context.SchedulerOptions?
  let credit = DemandCredit()
  let state = Locked(CollectingState<Input>())

  /// Whether the thread inside the gate is in the loop of ``publish(takesShorter:)``. Touched
  /// inside the gate only.
  var isPublishing = false

  init(
    strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?,
    downstream: Downstream
  ) {
    switch strategy {
    case .byTime(let scheduler, let interval):
      (self.scheduler, self.interval, limit) = (scheduler, interval, nil)
    case .byTimeOrCount(let scheduler, let interval, let count):
      (self.scheduler, self.interval, limit) = (scheduler, interval, count)
    }
    self.options = options
    super.init("CollectByTime", downstream: downstream)
  }

  // The timer doesn't keep this alive, so it has to end when the stream is released.
  deinit { stopTimer() }

  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    startTimer()
    handOver()
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard isActive else { return .none }
    let isFull = state.withLock { $0.append(input, limit: limit) }
    if isFull { scheduler.schedule(options: options) { self.publish(takesShorter: false) } }
    return limit == nil && !credit.isUnlimited ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard acceptCompletion() else { return }
    stopTimer()
    scheduler.schedule(options: options) { self.publishRest(completion) }
  }

  override func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { return }
    credit.add(demand)
    // A loop that this thread is in takes the next arrays itself. An action of its own could run at
    // once, and nest a delivery for each request.
    let isInLoop = gate.isMine && isPublishing
    if !isInLoop, state.withLock({ !$0.full.isEmpty }) {
      scheduler.schedule(options: options) { self.publish(takesShorter: false) }
    }
    requestValues(for: demand)
  }

  /// Requests the values for so many arrays.
  func requestValues(for arrays: Subscribers.Demand) {
    // Without a size, one value may be enough for any number of arrays. But not for all.
    forward(limit.map { arrays * $0 } ?? (arrays == .unlimited ? .unlimited : .max(1)))
  }

  override func release() {
    stopTimer()
    let dropped = takeAll()
    super.release()
    _ = dropped
  }

  /// Publishes the arrays that are requested.
  ///
  /// - Parameter takesShorter: Whether to publish the last values even if they aren't enough.
  func publish(takesShorter: Bool) {
    var more = Subscribers.Demand.none
    inside {
      let wasPublishing = isPublishing
      isPublishing = true
      while let next = state.withLock({ $0.next(takesShorter: takesShorter) { credit.take() } }) {
        let returned = pass(next.values)
        credit.add(returned)
        if next.isFull || returned == .unlimited { more += returned }
      }
      isPublishing = wasPublishing
    }
    if more > 0 { requestValues(for: more) }
  }

  /// Publishes everything that's left, and then the completion.
  func publishRest(_ completion: Subscribers.Completion<Failure>) {
    var rest = CollectingState<Input>()
    inside {
      rest = takeAll()
      if case .finished = completion {
        while let next = rest.next(takesShorter: true, if: { true }) { _ = pass(next.values) }
      }
      pass(completion)
    }
  }

  func takeAll() -> CollectingState<Input> {
    state.withLock { state in
      defer { state = CollectingState() }
      return state
    }
  }

  func startTimer() {
    let timer = scheduler.schedule(
      after: scheduler.now.advanced(by: interval), interval: interval,
      tolerance: scheduler.minimumTolerance, options: options
    ) { [weak self] in self?.publish(takesShorter: true) }
    state.withLock { $0.timer = timer }
    if !isActive { stopTimer() }
  }

  func stopTimer() {
    let timer = state.withLock { $0.timer.take() }
    timer?.cancel()
  }
}
