import Streams

extension VirtualTime {
  /// A span of virtual time in whole nanoseconds. It may be negative.
  ///
  /// A bare number means seconds, as in Combine, even as a factor:
  ///
  /// ```swift
  /// let pause: VirtualTime.Interval = 1.5   // 1500ms
  /// 2 * .milliseconds(5) == .milliseconds(10)
  /// ```
  ///
  /// Arithmetic saturates: a span that is too long becomes ``max``.
  public struct Interval: Hashable, Sendable {
    /// The length in nanoseconds.
    public let nanoseconds: Int64

    // Not `init(nanoseconds:)`, which would read like the factory of the same name.
    init(wholeNanoseconds: Int64) { nanoseconds = wholeNanoseconds }

    /// No time.
    public static let zero = Interval(wholeNanoseconds: 0)

    /// The longest span.
    public static let max = Interval(wholeNanoseconds: .max)
  }
}

extension VirtualTime.Interval: SchedulerTimeIntervalConvertible {
  /// A span of whole seconds.
  public static func seconds(_ s: Int) -> Self { multiple(s, of: 1_000_000_000) }

  /// A span of seconds, rounded to the nearest nanosecond; halves round away from zero.
  ///
  /// Infinity is the longest span, ``max``. NaN isn't a span. In a scope of virtual time, such as a
  /// test with a world, it's reported and becomes ``zero``. Elsewhere it ends the program.
  public static func seconds(_ s: Double) -> Self {
    guard !s.isNaN else {
      guard let scheduler = VirtualTimeScope.scheduler else {
        preconditionFailure(GuardFailure.notATime.message)
      }
      scheduler.fail(.notATime)
      return .zero
    }
    let rounded = (s * 1_000_000_000).rounded(.toNearestOrAwayFromZero)
    return Self(
      wholeNanoseconds: Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max))
  }

  /// A span of milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { multiple(ms, of: 1_000_000) }

  /// A span of microseconds.
  public static func microseconds(_ us: Int) -> Self { multiple(us, of: 1_000) }

  /// A span of nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { multiple(ns, of: 1) }

  private static func multiple(_ count: Int, of unit: Int64) -> Self {
    let (product, overflow) = Int64(count).multipliedReportingOverflow(by: unit)
    guard overflow else { return Self(wholeNanoseconds: product) }
    return Self(wholeNanoseconds: count < 0 ? .min : .max)
  }
}

extension VirtualTime.Interval: SignedNumeric {
  /// Makes a span of whole seconds.
  public init(integerLiteral value: Int) { self = .seconds(value) }

  /// Makes a span of whole seconds, or `nil` if it's too long.
  public init?<T>(exactly source: T) where T: BinaryInteger {
    guard let seconds = Int64(exactly: source) else { return nil }
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    self.init(wholeNanoseconds: product)
  }

  /// The span without its sign.
  public var magnitude: Self { nanoseconds < 0 ? 0 - self : self }

  /// The sum of both spans.
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(wholeNanoseconds: lhs.nanoseconds.saturatingAddition(rhs.nanoseconds))
  }

  /// The difference of both spans.
  public static func - (lhs: Self, rhs: Self) -> Self {
    Self(wholeNanoseconds: lhs.nanoseconds.saturatingSubtraction(rhs.nanoseconds))
  }

  /// The product of both spans in seconds, rounded to the nearest nanosecond; halves round away
  /// from zero.
  public static func * (lhs: Self, rhs: Self) -> Self {
    let isNegative = (lhs.nanoseconds < 0) != (rhs.nanoseconds < 0)
    let product = lhs.nanoseconds.magnitude.multipliedFullWidth(by: rhs.nanoseconds.magnitude)
    let second: UInt64 = 1_000_000_000
    // Division traps if the quotient doesn't fit 64 bits.
    let (quotient, remainder) =
      product.high < second ? second.dividingFullWidth(product) : (.max, 0)
    let isRoundedUp = remainder >= second / 2
    let length = Int64(clamping: quotient).saturatingAddition(isRoundedUp ? 1 : 0)
    return Self(wholeNanoseconds: isNegative ? -length : length)
  }

  /// Adds the second span to the first.
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// Subtracts the second span from the first.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// Multiplies the first span by the second, both counted in seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
}

extension VirtualTime.Interval: ExpressibleByFloatLiteral {
  /// Makes a span of seconds, rounded to the nearest nanosecond.
  public init(floatLiteral value: Double) { self = .seconds(value) }
}

extension VirtualTime.Interval: Comparable {
  /// Whether the first is shorter.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

extension VirtualTime.Interval: CustomStringConvertible {
  /// The span in the largest unit that is exact, or `forever`.
  public var description: String {
    if self == .max { return "forever" }
    if nanoseconds == 0 { return "0" }
    let units: [(length: Int64, name: String)] = [
      (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us"),
    ]
    for unit in units where nanoseconds % unit.length == 0 {
      return "\(nanoseconds / unit.length)\(unit.name)"
    }
    return "\(nanoseconds)ns"
  }
}

extension Int64 {
  /// The sum, or the nearest number that fits.
  func saturatingAddition(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number that fits.
  func saturatingSubtraction(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
