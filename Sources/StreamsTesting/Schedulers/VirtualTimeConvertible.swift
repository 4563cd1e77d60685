import Foundation
import StreamsFoundation
import VirtualTime

/// A scheduler's time type that can show the moments of a virtual clock.
///
/// The time types of `DispatchQueue`, `RunLoop` and `OperationQueue` conform. Let the time type of
/// your own scheduler conform to use it with `scheduler(as:)` and `AnyScheduler.immediate`.
public protocol VirtualTimeConvertible {
  /// Makes the moment that stands for a moment of the clock.
  init(virtualTime: VirtualTime)

  /// The moment of the clock that this stands for; `VirtualTime.max` for the distant future.
  var virtualTime: VirtualTime { get }
}

/// The clock's start is an uptime of one second, because Dispatch takes zero as "now".
extension DispatchQueue.SchedulerTimeType: VirtualTimeConvertible {
  /// Makes the moment that stands for a moment of the clock.
  public init(virtualTime: VirtualTime) { self.init(nanosecondsOfWorld: virtualTime.nanoseconds) }

  /// The moment of the clock that this stands for.
  public var virtualTime: VirtualTime { VirtualTime(nanoseconds: nanosecondsOfWorld) }
}

/// The clock's start is the reference date, the beginning of 2001 in UTC.
extension RunLoop.SchedulerTimeType: VirtualTimeConvertible {
  /// Makes the moment that stands for a moment of the clock.
  public init(virtualTime: VirtualTime) { self.init(nanosecondsOfWorld: virtualTime.nanoseconds) }

  /// The moment of the clock that this stands for, to the nearest nanosecond.
  public var virtualTime: VirtualTime { VirtualTime(nanoseconds: nanosecondsOfWorld) }
}

/// The clock's start is the reference date, the beginning of 2001 in UTC.
extension OperationQueue.SchedulerTimeType: VirtualTimeConvertible {
  /// Makes the moment that stands for a moment of the clock.
  public init(virtualTime: VirtualTime) { self.init(nanosecondsOfWorld: virtualTime.nanoseconds) }

  /// The moment of the clock that this stands for, to the nearest nanosecond.
  public var virtualTime: VirtualTime { VirtualTime(nanoseconds: nanosecondsOfWorld) }
}
