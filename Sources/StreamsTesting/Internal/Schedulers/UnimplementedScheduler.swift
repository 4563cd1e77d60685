import Streams
import Testing

/// A scheduler that reports its first use, and runs nothing.
struct UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private let moment: SchedulerTimeType
  private let location: SourceLocation
  // The reporter of the test that made this, because queues and threads don't know it.
  private let reporter = IssueReporter.current
  private let isUsed = Locked(false)

  init(now: SchedulerTimeType, madeAt location: SourceLocation) {
    moment = now
    self.location = location
  }

  var now: SchedulerTimeType {
    report("asked for the time")
    return moment
  }

  // It isn't a use, because the short forms of `schedule` ask for it before the use.
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    report("asked to run an action")
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    report("asked to run an action later")
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    report("asked to repeat an action")
    return Subscriptions.empty
  }

  private func report(_ use: String) {
    let isFirst = isUsed.withLock { isUsed in
      defer { isUsed = true }
      return !isUsed
    }
    guard isFirst else { return }
    reporter.report(
      "The unimplemented scheduler that was made here was \(use). If this is right, pass one that "
        + "runs actions, such as `clock.scheduler(as: DispatchQueue.self)` or `.immediate`.",
      location)
  }
}
