import Streams
import StreamsExtras
import VirtualTime

extension VirtualTimeScheduler {
  /// This clock as a scheduler that measures time like another one.
  ///
  /// Use it to test code that takes a scheduler:
  ///
  /// ```swift
  /// // In your app: init(scheduler: AnySchedulerOf<DispatchQueue> = .main)
  /// let clock = VirtualTimeScheduler()
  /// let model = SearchModel(scheduler: clock.scheduler(as: DispatchQueue.self))
  /// clock.advance(by: .milliseconds(300))
  /// ```
  ///
  /// Actions run in the call that moves time, on its thread, and not on a queue. They keep the
  /// clock's order. The scheduler's options have no effect. An interval of a repeat has to be
  /// longer than zero, as for the clock itself.
  ///
  /// The clock's zero is an uptime of one second for `DispatchQueue`, and the reference date for
  /// `RunLoop` and `OperationQueue`. Their dates are floating-point numbers. They are exact to the
  /// nanosecond for the first three months.
  ///
  /// - Parameter type: The type of the scheduler that your code uses.
  /// - Returns: A scheduler whose actions wait for this clock.
  public func scheduler<S>(as type: S.Type) -> AnySchedulerOf<S>
  where S: Scheduler, S.SchedulerTimeType: VirtualTimeConvertible {
    AnyScheduler(ClockScheduler(clock: self))
  }
}
