/// A scheduler that runs every action at once, in the call that schedules it.
///
/// It has one moment only: delays are ignored, and repeating actions run once.
/// Source of the rule: Combine's `ImmediateScheduler`.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// The one moment of this scheduler.
  public struct SchedulerTimeType: Strideable, Sendable {
    /// Makes the one moment there is.
    init() {}

    /// Nothing: there is only one moment.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// The same moment, however long the span.
    public func advanced(by n: Stride) -> SchedulerTimeType { self }

    /// A span of time that counts nothing. You can read back the number that it was made from.
    public struct Stride:
      ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable,
      SchedulerTimeIntervalConvertible, Sendable
    {
      /// The number this span was made from.
      public var magnitude: Int

      /// Makes a span from a number.
      public init(_ value: Int) { magnitude = value }

      /// Makes a span from a literal.
      public init(integerLiteral value: Int) { self.init(value) }

      /// Makes a span from a literal, without its fraction.
      public init(floatLiteral value: Double) { self.init(Int(value)) }

      /// Makes a span from an integer, if `Int` can hold it.
      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      /// No time.
      public static func seconds(_ s: Int) -> Stride { 0 }

      /// No time.
      public static func seconds(_ s: Double) -> Stride { 0 }

      /// No time.
      public static func milliseconds(_ ms: Int) -> Stride { 0 }

      /// No time.
      public static func microseconds(_ us: Int) -> Stride { 0 }

      /// No time.
      public static func nanoseconds(_ ns: Int) -> Stride { 0 }

      /// Whether the first was made from the smaller number.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

      /// The sum of the two numbers.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude + rhs.magnitude)
      }

      /// The difference of the two numbers.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude - rhs.magnitude)
      }

      /// The product of the two numbers.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude * rhs.magnitude)
      }

      /// Adds the second number to the first.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

      /// Subtracts the second number from the first.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

      /// Multiplies the first number by the second.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
    }
  }

  /// There is nothing to ask for.
  public typealias SchedulerOptions = Never

  /// The one immediate scheduler.
  public static let shared = ImmediateScheduler()

  private init() {}

  /// The one moment there is.
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action now.
  @inlinable
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  /// Runs the action now.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { action() }

  /// Runs the action now, and once only.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
