import Streams
import StreamsExtras
import VirtualTime

extension AnyScheduler {
  /// A scheduler that runs every action right away, inside the call that schedules it.
  ///
  /// Its time stands still, so delays are ignored: `delay` and `debounce` deliver each value at
  /// once. A repeating action runs once, because otherwise the call would never return. `timeout`
  /// stops the program, because its time would be up before the stream begins. All this follows
  /// `ImmediateScheduler`, which has a time type of its own.
  ///
  /// If a test is about time, use `clock.scheduler(as:)` instead.
  ///
  /// - Parameter now: The moment that the scheduler shows.
  public static func immediate(now: SchedulerTimeType) -> Self {
    AnyScheduler(StillScheduler(now: now))
  }
}

extension AnyScheduler where SchedulerTimeType: VirtualTimeConvertible {
  /// A scheduler that runs every action right away, and shows the moment zero of a virtual clock.
  ///
  /// See ``AnyScheduler/immediate(now:)``.
  public static var immediate: Self { immediate(now: SchedulerTimeType(virtualTime: .zero)) }
}
