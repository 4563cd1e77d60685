import StreamsFoundation

// region: recipe
extension Publisher {
  /// Tries again after each failure, and waits twice as long each time, up to `longest`. A random
  /// factor keeps many clients from coming back at once.
  ///
  /// - Parameters:
  ///   - attempts: How often it tries again, at most.
  ///   - delay: The wait before the first new attempt, in seconds.
  ///   - longest: The longest wait, in seconds.
  ///   - jitter: The factor for each wait. Tests pass a constant.
  ///   - scheduler: Where it waits, and where the new attempts are made.
  func retry<Context: Scheduler>(
    attempts: Int, after delay: Double, longest: Double = 60, scheduler: Context,
    jitter: @escaping () -> Double = { .random(in: 0.5...1) }
  ) -> AnyPublisher<Output, Failure> {
    self.catch { error in
      guard attempts > 0 else { return Fail<Output, Failure>(error: error).eraseToAnyPublisher() }
      let wait = Context.SchedulerTimeType.Stride.seconds(Swift.min(delay, longest) * jitter())
      return Just(())
        .setFailureType(to: Failure.self)
        .delay(for: wait, scheduler: scheduler)
        .flatMap {
          self.retry(
            attempts: attempts - 1, after: delay * 2, longest: longest, scheduler: scheduler,
            jitter: jitter)
        }
        .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }
}
// endregion
