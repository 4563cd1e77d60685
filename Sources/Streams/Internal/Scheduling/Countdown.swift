/// A timer of a scheduler's that is set again and again: only the last setting counts, and what was
/// left with it.
///
/// It is a repeating one, since those can be cancelled, and is cancelled when it is due for the
/// first time. Whether a setting still counts is decided under a lock, by its number: whatever
/// threads the scheduler uses, and also if its timers cannot be cancelled, each setting is claimed
/// once at most, and none once there is a newer one. Schedulers and their tokens are called outside
/// the lock, and what was left is released there.
struct Countdown<Context: Scheduler, Load> {
  private struct State {
    var setting = 0
    /// What was left with the last setting; `nil` if that was claimed or stopped.
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

  /// Sets the timer anew, unless it was stopped.
  ///
  /// - Parameters:
  ///   - load: What to leave until it is due.
  ///   - onDue: Called when it is due, with what to ``claim(_:)``.
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
    // The new one counts before the former one is cancelled.
    let outdated = state.withLock { state in
      guard state.setting == setting, state.load != nil else { return token }
      defer { state.token = token }
      return state.token
    }
    outdated?.cancel()
  }

  /// Takes what was left with a setting that is due.
  ///
  /// - Returns: What was left; `nil` if the setting counts no more.
  func claim(_ setting: Int) -> Load? {
    let (load, token) = state.withLock { state -> (Load?, (any Cancellable)?) in
      guard state.setting == setting else { return (nil, nil) }
      return (state.load.take(), state.token.take())
    }
    token?.cancel()
    return load
  }

  /// Stops the timer for ever.
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
      // Nothing can be repeated every now and now.
      scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
      return nil
    }
    return scheduler.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
