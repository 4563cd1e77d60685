/// A timer on a scheduler that can be restarted again and again. Each start is a *generation* and
/// carries a payload. Only the latest generation and its payload count.
///
/// It's made of repeating timers, because only those can be cancelled. Each one is cancelled when
/// it fires for the first time.
///
/// Contract:
/// - **Threads:** any thread may restart, claim and stop it. The scheduler may run a timer on any
///   thread, even after the timer was cancelled. The generations are numbered, and the lock
///   decides: each is claimed at most once, and never after a newer one has begun.
/// - **Calls:** the scheduler and its tokens are called outside the lock. `onDue` runs where the
///   scheduler runs it.
/// - **Release:** the thread that restarts the timer, or stops it, releases the old payload.
///   Cancelling a timer releases `onDue` at once if its scheduler does that.
struct Countdown<Context: Scheduler, Payload> {
  private struct State {
    var generation = 0
    /// The payload of the latest generation; `nil` once it was claimed or the timer was stopped.
    var payload: Payload?
    var token: (any Cancellable)?
    var isStopped = false
  }

  private let interval: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let state = Locked(State())

  init(
    _ interval: Context.SchedulerTimeType.Stride, on scheduler: Context,
    options: Context.SchedulerOptions?
  ) {
    (self.interval, self.scheduler, self.options) = (interval, scheduler, options)
  }

  /// Starts the next generation, unless the timer was stopped.
  ///
  /// - Parameters:
  ///   - payload: Kept until this generation is claimed or replaced, or the timer is stopped.
  ///   - onDue: Called when this generation is due, with its number for ``claim(_:)``.
  func restart(with payload: Payload, onDue: @escaping (_ generation: Int) -> Void) {
    let (generation, former) = state.withLock { state -> (Int?, Payload?) in
      guard !state.isStopped else { return (nil, nil) }
      state.generation += 1
      defer { state.payload = payload }
      return (state.generation, state.payload)
    }
    guard let generation else { return }
    _ = former
    let token = schedule { onDue(generation) }
    // The new generation counts before the old timer is cancelled. If a newer one began during the
    // call to the scheduler, or this one was claimed, the timer just made is the one to cancel.
    let outdated = state.withLock { state in
      guard state.generation == generation, state.payload != nil else { return token }
      defer { state.token = token }
      return state.token
    }
    outdated?.cancel()
  }

  /// Takes the payload of a generation that is due.
  ///
  /// - Returns: The payload; `nil` if the generation no longer counts.
  func claim(_ generation: Int) -> Payload? {
    let (payload, token) = state.withLock { state -> (Payload?, (any Cancellable)?) in
      guard state.generation == generation else { return (nil, nil) }
      return (state.payload.take(), state.token.take())
    }
    token?.cancel()
    return payload
  }

  /// Stops the timer forever.
  func stop() {
    let (payload, token) = state.withLock { state -> (Payload?, (any Cancellable)?) in
      state.isStopped = true
      return (state.payload.take(), state.token.take())
    }
    token?.cancel()
    _ = payload
  }

  private func schedule(_ action: @escaping () -> Void) -> (any Cancellable)? {
    let date = scheduler.now.advanced(by: interval)
    let tolerance = scheduler.minimumTolerance
    guard interval > 0 else {
      // A repeating timer needs an interval above zero. An action that is due at once needs no
      // cancelling.
      scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
      return nil
    }
    return scheduler.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
