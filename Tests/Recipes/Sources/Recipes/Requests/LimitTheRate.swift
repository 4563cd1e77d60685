import StreamsFoundation

// region: recipe
extension Publisher {
  /// Passes on at most `count` values in any interval. Later ones wait, in order of arrival.
  ///
  /// - Parameters:
  ///   - count: How many values pass in an interval, at most.
  ///   - interval: The length of the interval.
  ///   - scheduler: Where values wait. Those that had to wait are delivered there.
  func limitRate<Context: Scheduler>(
    to count: Int, per interval: Context.SchedulerTimeType.Stride, scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(count)) { value in
        // A value passes at once, and its place stays taken for an interval.
        Just(value)
          .setFailureType(to: Failure.self)
          .append(Empty().delay(for: interval, scheduler: scheduler))
      }
      .eraseToAnyPublisher()
  }
}
// endregion
