/// The queue of a buffer, the demand of its subscriber, and the turn to deliver.
///
/// Each event is a `mutating` method that says what to do, and ``BufferedDelivery`` does it after
/// unlocking.
///
/// - **Turn:** one thread at a time delivers. A value, a request or an end that finds the turn free
///   takes it. Any other only changes the state, because the thread that has the turn looks again
///   before it gives it up. So requests neither recurse nor wait, and none is missed. The thread
///   that attaches the buffer has the first turn, so that downstream gets its subscription first.
/// - **Invariant:** if the turn is free and there's demand, the queue is empty.
/// - **Release:** values and subscribers are returned, for the caller to release after unlocking.
@usableFromInline struct BufferingState<Value, Failure: Error> {
  @usableFromInline enum Phase {
    /// Values are accepted.
    case live
    /// The queue has overflowed, and the user's closure makes the error.
    case overflowing
    /// Upstream has ended or has been cancelled. The end waits for its turn.
    case ending(Subscribers.Completion<Failure>)
    /// Downstream has its completion, or has cancelled.
    case over
  }

  /// The action to take for a value.
  @usableFromInline enum Acceptance {
    /// Deliver it: the caller has the turn.
    case deliver
    /// Nothing, except to release the value that it has replaced.
    case settled(replaced: Value?)
    /// Make the error, cancel upstream, and then call ``fail(with:)``.
    case overflow
  }

  /// The next action of the thread that has the turn.
  @usableFromInline enum Step {
    case deliver(FIFO<Value>)
    /// Deliver the completion, and release the values that nothing was requested for.
    case complete(Subscribers.Completion<Failure>, FIFO<Value>)
    /// Nothing: the turn is free.
    case pause
    /// Release downstream, which has cancelled.
    case release
  }

  @usableFromInline var phase = Phase.live
  @usableFromInline var values = FIFO<Value>()
  @usableFromInline var demand = Subscribers.Demand.none

  /// Whether a thread has the turn to deliver.
  @usableFromInline var isDelivering = true

  /// Whether the failure of an overflow waits for the next request.
  @usableFromInline var awaitsRequest = false

  @inlinable init() {}

  @inlinable @inline(__always)
  mutating func accept(
    _ value: Value, size: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Acceptance {
    guard case .live = phase else { return .settled(replaced: nil) }
    if !isDelivering, demand > 0, size > 0 {
      isDelivering = true
      demand -= 1
      return .deliver
    }
    if values.count < size {
      values.append(value)
      return .settled(replaced: nil)
    }
    switch whenFull {
    case .dropNewest: return .settled(replaced: nil)
    case .dropOldest:
      guard let oldest = values.popFirst() else { return .settled(replaced: nil) }
      values.append(value)
      return .settled(replaced: oldest)
    case .customError:
      phase = .overflowing
      awaitsRequest = true
      return .overflow
    }
  }

  /// - Returns: Whether the caller gets the turn.
  @inlinable
  mutating func add(_ more: Subscribers.Demand) -> Bool {
    guard more > 0 else { return false }
    demand += more
    awaitsRequest = false
    return switch phase {
    case .live, .overflowing: !values.isEmpty && takeTurn()
    case .ending: takeTurn()
    case .over: false
    }
  }

  /// Accepts the end of upstream, unless the queue has overflowed.
  ///
  /// - Returns: Whether the caller gets the turn.
  @inlinable
  mutating func end(with completion: Subscribers.Completion<Failure>) -> Bool {
    guard case .live = phase else { return false }
    phase = .ending(completion)
    return takeTurn()
  }

  /// Accepts the error of an overflow, unless downstream has cancelled.
  ///
  /// - Returns: Whether the caller gets the turn.
  @inlinable
  mutating func fail(with error: Failure) -> Bool {
    guard case .overflowing = phase else { return false }
    phase = .ending(.failure(error))
    return takeTurn()
  }

  @inlinable
  mutating func takeTurn() -> Bool {
    guard !isDelivering else { return false }
    isDelivering = true
    return true
  }

  /// Says what comes next. Only the thread that has the turn calls this.
  ///
  /// - Parameter more: The demand that downstream has returned for the last values.
  @inlinable
  mutating func next(adding more: Subscribers.Demand) -> Step {
    if case .over = phase { return .release }
    demand += more
    if demand > 0, !values.isEmpty {
      let batch = values.removeFirst(demand.max ?? .max)
      demand -= batch.count
      return .deliver(batch)
    }
    if case .ending(let completion) = phase, isDue(completion) {
      phase = .over
      return .complete(completion, values.removeFirst(.max))
    }
    isDelivering = false
    return .pause
  }

  /// Whether the completion can be delivered, with no requested value before it. A finish waits for
  /// demand, and so does the failure of an overflow. Any other failure doesn't wait.
  @inlinable
  func isDue(_ completion: Subscribers.Completion<Failure>) -> Bool {
    switch completion {
    case .finished: demand > 0
    case .failure: demand > 0 || !awaitsRequest
    }
  }

  /// - Returns: The values to release, and whether the caller releases downstream too; `nil` if the
  ///   stream was over. If not the caller, the thread that has the turn releases downstream.
  @inlinable
  mutating func cancel() -> (values: FIFO<Value>, ownsDownstream: Bool)? {
    if case .over = phase { return nil }
    phase = .over
    return (values.removeFirst(.max), takeTurn())
  }
}
