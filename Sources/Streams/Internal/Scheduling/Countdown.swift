/// A timer on a scheduler that can be set again and again. Each setting carries a load. Only the
/// latest setting and its load count.
///
/// It's made of repeating timers, because only those can be cancelled. Each one is cancelled when
/// it fires for the first time.
///
/// Contract:
/// - **Threads:** any thread may set, claim and stop it. The scheduler may run a timer on any
///   thread, even after the timer was cancelled. Each setting has a number, and the lock decides: a
///   setting is claimed at most once, and never after a newer one was made.
/// - **Calls:** the scheduler and its tokens are called outside the lock. `onDue` runs where the
///   scheduler runs it.
/// - **Release:** the thread that sets the timer again, or stops it, releases the old load.
///   Cancelling a timer releases `onDue` at once if its scheduler does that.
struct Countdown<Context: Scheduler, Load> {
  private struct State {
    var setting = 0
    /// The load of the latest setting; `nil` once it was claimed or the timer was stopped.
    var load: Load?
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
    self.interval = interval
    self.scheduler = scheduler
    self.options = options
  }

  /// Sets the timer again, unless it was stopped.
  ///
  /// - Parameters:
  ///   - load: Kept until this setting is claimed, replaced or stopped.
  ///   - onDue: Called when this setting is due, with its number for ``claim(_:)``.
  func restart(leaving load: Load, onDue: @escaping (_ setting: Int) -> Void) {
    let (setting, former) = state.withLock { state -> (Int?, Load?) in
      guard !state.isStopped else { return (nil, nil) }
      state.setting += 1
      defer { state.load = load }
      return (state.setting, state.load)
    }
    guard let setting else { return }
    _ = former
    let token = schedule { onDue(setting) }
    // The new setting counts before the old timer is cancelled. If a newer setting was made during
    // the call to the scheduler, or this one was claimed, the timer just made is the one to cancel.
    let outdated = state.withLock { state in
      guard state.setting == setting, state.load != nil else { return token }
      defer { state.token = token }
      return state.token
    }
    outdated?.cancel()
  }

  /// Takes the load of a setting that is due.
  ///
  /// - Returns: The load; `nil` if the setting no longer counts.
  func claim(_ setting: Int) -> Load? {
    let (load, token) = state.withLock { state -> (Load?, (any Cancellable)?) in
      guard state.setting == setting else { return (nil, nil) }
      return (state.load.take(), state.token.take())
    }
    token?.cancel()
    return load
  }

  /// Stops the timer forever.
  func stop() {
    let (load, token) = state.withLock { state -> (Load?, (any Cancellable)?) in
      state.isStopped = true
      return (state.load.take(), state.token.take())
    }
    token?.cancel()
    _ = load
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
