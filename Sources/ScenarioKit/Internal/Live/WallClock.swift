import Dispatch
import VirtualTime

/// The wall clock, counted from the moment this was made.
struct WallClock: Sendable {
  private let uptime: @Sendable () -> UInt64
  private let start: UInt64

  /// - Parameter uptime: Returns nanoseconds since any fixed moment.
  init(uptime: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
    self.uptime = uptime
    start = uptime()
  }

  private var elapsed: Int64 { Int64(uptime() - start) }

  /// The time since this was made, in whole milliseconds.
  var now: VirtualTime { VirtualTime(nanoseconds: elapsed / 1_000_000 * 1_000_000) }

  /// Returns how long it is until a time, but at most a limit. Zero if the time has passed.
  func interval(until time: VirtualTime, limit: VirtualTime.Interval) -> DispatchTimeInterval {
    let most = VirtualTime.zero.advanced(by: limit).nanoseconds
    return .nanoseconds(Int(max(0, min(time.nanoseconds - elapsed, most))))
  }
}
