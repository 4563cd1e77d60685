import Foundation
import Streams

extension RunLoop {
  /// A moment of the calendar.
  ///
  /// It works like the time type of `OperationQueue`, but it's a separate type, so you can conform
  /// both to a protocol.
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable, CalendarTime {
    /// The moment.
    public var date: Date

    /// Makes a moment.
    public init(_ date: Date) { self.date = date }

    /// The time from this moment to the other.
    public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }

    /// The moment `n` later.
    public func advanced(by n: Stride) -> Self { Self(date + n.timeInterval) }

    /// Whether the first moment is before the second.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.date < rhs.date }

    /// Whether both are the same moment.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.date == rhs.date }

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

      /// Makes a span of seconds, or `nil` if a floating-point number can't hold them exactly.
      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let seconds = TimeInterval(exactly: source) else { return nil }
        magnitude = seconds
      }

      /// A span of whole seconds.
      public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

      /// A span of seconds and fractions.
      public static func seconds(_ s: Double) -> Self { Self(s) }

      /// A span of milliseconds.
      public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }

      /// A span of microseconds.
      public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }

      /// A span of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }

      /// Whether the first span is shorter.
      public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

      /// The sum of two spans.
      public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

      /// The difference of two spans.
      public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

      /// The product of two spans in seconds.
      public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

      /// Adds a span to this one.
      public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

      /// Subtracts a span from this one.
      public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

      /// Multiplies this span by another, both in seconds.
      public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    }
  }
}
