/// A namespace for the types that serve subscribers.
public enum Subscribers {}

extension Subscribers {
  /// How many values a subscriber wants: a count, or as many as there are.
  ///
  /// Adding to `.unlimited`, subtracting from it or multiplying it leaves it unlimited. It's larger
  /// than every count. Source of the rules: Combine's `Subscribers.Demand`.
  @frozen
  public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable, BitwiseCopyable {
    /// The count; `Int.max + 1` stands for unlimited, and nothing is above it.
    @usableFromInline let rawValue: UInt

    @inlinable
    init(rawValue: UInt) {
      self.rawValue = Swift.min(rawValue, UInt(Int.max) + 1)
    }

    /// As many values as there are.
    @inlinable public static var unlimited: Demand { Demand(rawValue: UInt(Int.max) + 1) }

    /// No values; the same as `.max(0)`.
    @inlinable public static var none: Demand { Demand(rawValue: 0) }

    /// At most this many values.
    ///
    /// - Parameter value: The count. A negative one is a programming error.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand can't be negative: \(value)")
      return Demand(rawValue: UInt(bitPattern: value))
    }

    /// The count, or `nil` if unlimited.
    @inlinable public var max: Int? {
      self == .unlimited ? nil : Int(bitPattern: rawValue)
    }
  }
}

extension Subscribers.Demand {
  /// Decodes a demand from a number. Numbers above unlimited mean unlimited.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
  }

  /// Encodes the demand as a number: the count, or `Int.max + 1` for unlimited.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Subscribers.Demand: CustomStringConvertible {
  /// `unlimited`, or `max(3)`.
  public var description: String {
    max.map { "max(\($0))" } ?? "unlimited"
  }
}

extension Subscribers.Demand {
  /// Adds two demands; `.unlimited` if either is, or if the sum is above `Int.max`.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self {
    // Neither raw value is above `Int.max + 1`, so the sum can't be above `UInt.max + 1`.
    let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
    return overflow ? .unlimited : Self(rawValue: sum)
  }

  /// Adds a count, which may be negative; a sum below zero is a programming error.
  @inlinable
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (sum, overflow) = count.addingReportingOverflow(rhs)
    return overflow ? .unlimited : .max(sum)
  }

  /// Subtracts a demand.
  ///
  /// Unlimited minus anything is unlimited, and a count minus unlimited is none. A difference below
  /// zero is a programming error. Combine traps too, although its documentation describes clamping.
  @inlinable
  public static func - (lhs: Self, rhs: Self) -> Self {
    guard let count = lhs.max else { return .unlimited }
    guard let subtrahend = rhs.max else { return .none }
    return .max(count - subtrahend)
  }

  /// Subtracts a count, which may be negative; a difference below zero is a programming error.
  @inlinable
  public static func - (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (difference, overflow) = count.subtractingReportingOverflow(rhs)
    return overflow ? .none : .max(difference)
  }

  /// Multiplies by a count, which mustn't be negative; `.unlimited` if the product is above
  /// `Int.max`.
  @inlinable
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (product, overflow) = count.multipliedReportingOverflow(by: rhs)
    return overflow ? .unlimited : .max(product)
  }

  /// Adds a demand to this one.
  @inlinable public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// Adds a count to this demand.
  @inlinable public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

  /// Subtracts a demand from this one.
  @inlinable public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// Subtracts a count from this demand.
  @inlinable public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }

  /// Multiplies this demand by a count.
  @inlinable public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }
}

// Unlimited is above every count and equal to none of them.
extension Subscribers.Demand {
  /// Whether the first demand is below the second.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  /// Whether the first demand is at most the second.
  @inlinable public static func <= (lhs: Self, rhs: Self) -> Bool { lhs.rawValue <= rhs.rawValue }

  /// Whether the first demand is above the second.
  @inlinable public static func > (lhs: Self, rhs: Self) -> Bool { lhs.rawValue > rhs.rawValue }

  /// Whether the first demand is at least the second.
  @inlinable public static func >= (lhs: Self, rhs: Self) -> Bool { lhs.rawValue >= rhs.rawValue }

  /// Whether the demand is below the count.
  @inlinable public static func < (lhs: Self, rhs: Int) -> Bool { lhs.rawValue < rhs }

  /// Whether the count is below the demand.
  @inlinable public static func < (lhs: Int, rhs: Self) -> Bool { lhs < rhs.rawValue }

  /// Whether the demand is at most the count.
  @inlinable public static func <= (lhs: Self, rhs: Int) -> Bool { lhs.rawValue <= rhs }

  /// Whether the count is at most the demand.
  @inlinable public static func <= (lhs: Int, rhs: Self) -> Bool { lhs <= rhs.rawValue }

  /// Whether the demand is above the count.
  @inlinable public static func > (lhs: Self, rhs: Int) -> Bool { lhs.rawValue > rhs }

  /// Whether the count is above the demand.
  @inlinable public static func > (lhs: Int, rhs: Self) -> Bool { lhs > rhs.rawValue }

  /// Whether the demand is at least the count.
  @inlinable public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.rawValue >= rhs }

  /// Whether the count is at least the demand.
  @inlinable public static func >= (lhs: Int, rhs: Self) -> Bool { lhs >= rhs.rawValue }

  /// Whether the demand is equal to the count.
  @inlinable public static func == (lhs: Self, rhs: Int) -> Bool { lhs.rawValue == rhs }

  /// Whether the count is equal to the demand.
  @inlinable public static func == (lhs: Int, rhs: Self) -> Bool { lhs == rhs.rawValue }

  /// Whether the demand differs from the count.
  @inlinable public static func != (lhs: Self, rhs: Int) -> Bool { lhs.rawValue != rhs }

  /// Whether the count differs from the demand.
  @inlinable public static func != (lhs: Int, rhs: Self) -> Bool { lhs != rhs.rawValue }
}
