import Dispatch
import VirtualTime

/// The time that passes outside, counted from when this was made.
struct WallClock {
  private let uptime: () -> UInt64
  private let start: UInt64

  /// - Parameter uptime: Tells nanoseconds, from any beginning.
  init(uptime: @escaping () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
    self.uptime = uptime
    start = uptime()
  }

  private var elapsed: Int64 { Int64(uptime() - start) }

  /// The time since then, in whole milliseconds.
  var now: VirtualTime { VirtualTime(nanoseconds: elapsed / 1_000_000 * 1_000_000) }

  /// How long it is until a time, but not longer than a limit; zero if it has passed.
  func interval(until time: VirtualTime, limit: VirtualTime.Interval) -> DispatchTimeInterval {
    let most = VirtualTime.zero.advanced(by: limit).nanoseconds
    return .nanoseconds(Int(max(0, min(time.nanoseconds - elapsed, most))))
  }
}
