import Dispatch
import Streams
import VirtualTime

/// A scheduler on a concurrent queue: its actions run on several threads at once, in any order.
/// Time is the machine's.
final class ConcurrentQueue: Scheduler, Sendable {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  private let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)

  var now: VirtualTime {
    VirtualTime(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
  }

  var minimumTolerance: VirtualTime.Interval { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    // The streams that schedule here accept any thread.
    nonisolated(unsafe) let action = action
    queue.async { action() }
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Interval, options: Never?,
    _ action: @escaping () -> Void
  ) {
    nonisolated(unsafe) let action = action
    queue.asyncAfter(deadline: deadline(date)) { action() }
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Interval, tolerance: VirtualTime.Interval,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    nonisolated(unsafe) let action = action
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: deadline(date), repeating: .nanoseconds(Int(interval.nanoseconds)))
    timer.setEventHandler { action() }
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }

  private func deadline(_ date: VirtualTime) -> DispatchTime {
    DispatchTime(uptimeNanoseconds: UInt64(date.nanoseconds))
  }
}
