import Foundation
import Streams

/// A moment of the calendar, as the schedulers of `RunLoop` and `OperationQueue` count time.
///
/// `Queue` is the class of the scheduler: it keeps the moments of one apart from those of the
/// other, as in Combine, where each class has a type of its own.
public struct DateSchedulerTime<Queue>: Strideable, Codable, Hashable, Sendable {
  /// The moment.
  public var date: Date

  /// Makes a moment.
  public init(_ date: Date) { self.date = date }

  /// How long it is from this moment to the other.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// The moment that much later.
  public func advanced(by n: Stride) -> DateSchedulerTime {
    DateSchedulerTime(date.addingTimeInterval(n.timeInterval))
  }

  /// Whether the first moment is before the second.
  public static func < (lhs: DateSchedulerTime, rhs: DateSchedulerTime) -> Bool {
    lhs.date < rhs.date
  }

  /// Whether both are the same moment.
  public static func == (lhs: DateSchedulerTime, rhs: DateSchedulerTime) -> Bool {
    lhs.date == rhs.date
  }

  /// A span of time in seconds.
  public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable,
    SchedulerTimeIntervalConvertible, Sendable
  {
    /// The span in seconds.
    public var magnitude: TimeInterval

    /// The span in seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// Makes a span of seconds.
    public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }

    /// Makes a span of seconds.
    public init(integerLiteral value: TimeInterval) { magnitude = value }

    /// Makes a span of seconds.
    public init(floatLiteral value: TimeInterval) { magnitude = value }

    /// Makes a span of seconds, if a floating-point number can hold them exactly.
    public init?<T>(exactly source: T) where T: BinaryInteger {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      self.init(seconds)
    }

    /// A span of whole seconds.
    public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }

    /// A span of seconds and fractions.
    public static func seconds(_ s: Double) -> Stride { Stride(s) }

    /// A span of milliseconds.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1e3) }

    /// A span of microseconds.
    public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1e6) }

    /// A span of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1e9) }

    /// Whether the first span is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The sum of two spans.
    public static func + (lhs: Stride, rhs: Stride) -> Stride {
      Stride(lhs.magnitude + rhs.magnitude)
    }

    /// The difference of two spans.
    public static func - (lhs: Stride, rhs: Stride) -> Stride {
      Stride(lhs.magnitude - rhs.magnitude)
    }

    /// The product of two spans, taken as seconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride {
      Stride(lhs.magnitude * rhs.magnitude)
    }

    /// Adds a span to this one.
    public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

    /// Subtracts a span from this one.
    public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

    /// Multiplies this span by one, taken as seconds.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
  }
}

extension DateSchedulerTime {
  /// The present moment; in a world, where time has begun with the reference date, that of its
  /// clock.
  static var now: DateSchedulerTime {
    guard let clock = MainThreadTurns.clock else { return DateSchedulerTime(Date()) }
    return DateSchedulerTime(
      Date(timeIntervalSinceReferenceDate: TimeInterval(clock.now()) / 1e9))
  }

  var nanosecondsOfWorld: Int64 { Stride(date.timeIntervalSinceReferenceDate).nanoseconds }
}

extension DateSchedulerTime.Stride {
  var nanoseconds: Int64 {
    let count = (magnitude * 1e9).rounded()
    return Int64(exactly: count) ?? (count < 0 ? .min : .max)
  }
}
