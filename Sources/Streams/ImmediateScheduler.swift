/// A scheduler that runs every action right away, inside the call that schedules it.
///
/// It knows only one moment: delays are ignored, and repeating actions run once. Follows Combine's
/// `ImmediateScheduler`.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// The type of this scheduler's only moment.
  public struct SchedulerTimeType: Strideable, Sendable {
    /// Creates the only moment.
    @inlinable init() {}

    /// Returns zero, because there's only one moment.
    @inlinable public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// Returns the same moment, however long the interval.
    @inlinable public func advanced(by n: Stride) -> SchedulerTimeType { self }

    /// An interval that has no effect. You can read back the number that it was made from. An
    /// interval that's made from a unit, such as a second, is zero.
    public struct Stride:
      ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable,
      SchedulerTimeIntervalConvertible, Sendable
    {
      /// The number that this interval was made from.
      public var magnitude: Int

      /// Creates an interval from a number.
      @inlinable public init(_ value: Int) { magnitude = value }

      @inlinable public init(integerLiteral value: Int) { self.init(value) }

      /// Creates an interval from a literal, without its fraction.
      public init(floatLiteral value: Double) { self.init(Int(value)) }

      public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      public static func seconds(_ s: Int) -> Stride { 0 }
      public static func seconds(_ s: Double) -> Stride { 0 }
      public static func milliseconds(_ ms: Int) -> Stride { 0 }
      public static func microseconds(_ us: Int) -> Stride { 0 }
      public static func nanoseconds(_ ns: Int) -> Stride { 0 }

      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude + rhs.magnitude)
      }

      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude - rhs.magnitude)
      }

      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(lhs.magnitude * rhs.magnitude)
      }

      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
    }
  }

  /// This scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The only instance of this scheduler.
  public static let shared = ImmediateScheduler()

  private init() {}

  @inlinable public var now: SchedulerTimeType { SchedulerTimeType() }

  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  @inlinable public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { action() }

  /// Runs the action right away, and only once.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
