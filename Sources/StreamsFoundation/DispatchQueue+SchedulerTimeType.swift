import Dispatch
import Streams

extension DispatchQueue {
  /// A moment of the system's uptime.
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    /// The moment as a Dispatch time.
    public var dispatchTime: DispatchTime

    /// Makes a moment.
    public init(_ time: DispatchTime) { dispatchTime = time }

    /// The time from this moment to the other; the longest span from or to the distant future.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let span =
        Int128(other.dispatchTime.uptimeNanoseconds) - Int128(dispatchTime.uptimeNanoseconds)
      return .nanoseconds(Int(clamping: span))
    }

    /// The moment `n` later.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + n.timeInterval)
    }

    /// Whether the first moment is before the second.
    public static func < (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime < rhs.dispatchTime
    }

    /// Whether both are the same moment.
    public static func == (lhs: SchedulerTimeType, rhs: SchedulerTimeType) -> Bool {
      lhs.dispatchTime == rhs.dispatchTime
    }

    /// Feeds the moment to the hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }

    /// Decodes a moment from nanoseconds of uptime.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self.init(DispatchTime(uptimeNanoseconds: try container.decode(UInt64.self)))
    }

    /// Encodes the moment as nanoseconds of uptime.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// A span of time in nanoseconds. A bare number means seconds.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Hashable, Codable, Sendable
    {
      /// The span in nanoseconds.
      public var magnitude: Int

      // The key that Combine encodes a span with.
      private enum CodingKeys: String, CodingKey {
        case magnitude = "_nanoseconds"
      }

      private init(nanoseconds: Int) { magnitude = nanoseconds }

      // Here and in all calculations, a span that doesn't fit becomes the longest one.
      private init(rounding nanoseconds: Double) {
        guard !nanoseconds.isNaN else {
          SchedulingScope.refuseNaN()
          magnitude = 0
          return
        }
        let rounded = nanoseconds.rounded()
        magnitude = Int(exactly: rounded) ?? (rounded < 0 ? .min : .max)
      }

      /// Makes a span from a Dispatch interval; `.never` becomes the longest span.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        case .never: self.init(nanoseconds: .max)
        @unknown default: self.init(nanoseconds: .max)
        }
      }

      /// The span as a Dispatch interval.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Makes a span of seconds.
      public init(integerLiteral value: Int) { self = .seconds(value) }

      /// Makes a span of seconds and fractions.
      public init(floatLiteral value: Double) { self = .seconds(value) }

      /// Makes a span of seconds, or `nil` if an `Int` can't hold their nanoseconds.
      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let seconds = Int(exactly: source) else { return nil }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return nil }
        self.init(nanoseconds: nanoseconds)
      }

      /// A span of whole seconds.
      public static func seconds(_ s: Int) -> Stride { multiple(s, of: 1_000_000_000) }

      /// A span of seconds and fractions, rounded to the nanosecond.
      public static func seconds(_ s: Double) -> Stride { Stride(rounding: s * 1e9) }

      /// A span of milliseconds.
      public static func milliseconds(_ ms: Int) -> Stride { multiple(ms, of: 1_000_000) }

      /// A span of microseconds.
      public static func microseconds(_ us: Int) -> Stride { multiple(us, of: 1_000) }

      /// A span of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

      private static func multiple(_ count: Int, of unit: Int) -> Stride {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return Stride(nanoseconds: overflow ? (count < 0 ? .min : .max) : product)
      }

      /// Whether the first span is shorter.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

      /// The sum of two spans.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
        return Stride(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : sum)
      }

      /// The difference of two spans.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
        return Stride(nanoseconds: overflow ? (lhs.magnitude < 0 ? .min : .max) : difference)
      }

      /// The product of two spans in seconds: `2 * .milliseconds(5)` is ten milliseconds.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(rounding: Double(lhs.magnitude) * Double(rhs.magnitude) / 1e9)
      }

      /// Adds a span to this one.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

      /// Subtracts a span from this one.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

      /// Multiplies this span by another, both in seconds.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
    }
  }
}

extension DispatchQueue.SchedulerTimeType {
  // Dispatch treats an uptime of zero as "now", so a world begins at an uptime of one second.
  private static let worldBegins: Int64 = 1_000_000_000

  /// Makes the moment that many nanoseconds after the start of a world.
  package init(nanosecondsOfWorld: Int64) {
    let (uptime, overflow) = nanosecondsOfWorld.addingReportingOverflow(Self.worldBegins)
    self.init(
      overflow ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(max(1, uptime))))
  }

  /// The nanoseconds since the start of a world; the largest number for the distant future.
  package var nanosecondsOfWorld: Int64 {
    guard let uptime = Int64(exactly: dispatchTime.uptimeNanoseconds) else { return .max }
    return uptime - Self.worldBegins
  }
}
