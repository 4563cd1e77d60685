import Streams

/// A moment on a virtual clock: whole nanoseconds since the start of the scenario.
///
/// It prints in the largest unit that is exact, wherever it is printed:
///
/// ```swift
/// print(VirtualTime.zero, VirtualTime.milliseconds(300))  // Prints "0 300ms"
/// print(VirtualTime.microseconds(1_500))                  // Prints "1500us"
/// ```
///
/// A scheduler's `now` reads like the `now` of a Swift `Clock`, but there is no `Clock` here: that
/// protocol asks for a `sleep`, and no number of yields tells for sure that a sleeping task has
/// done all it can do at one moment.
public struct VirtualTime: Hashable, Sendable {
  /// The nanoseconds since the start of the scenario.
  public let nanoseconds: Int64

  /// Makes a moment from the nanoseconds since the start of the scenario.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the scenario.
  public static let zero = VirtualTime(nanoseconds: 0)

  /// Never: work that is due then is accepted and listed, but doesn't run.
  public static let max = VirtualTime(nanoseconds: .max)
}

extension VirtualTime {
  /// The moment that many seconds after the start.
  public static func seconds(_ s: Int) -> VirtualTime { zero.advanced(by: .seconds(s)) }

  /// The moment that many seconds after the start, to the nearest nanosecond.
  public static func seconds(_ s: Double) -> VirtualTime { zero.advanced(by: .seconds(s)) }

  /// The moment that many milliseconds after the start.
  public static func milliseconds(_ ms: Int) -> VirtualTime { zero.advanced(by: .milliseconds(ms)) }

  /// The moment that many microseconds after the start.
  public static func microseconds(_ us: Int) -> VirtualTime { zero.advanced(by: .microseconds(us)) }

  /// The moment that many nanoseconds after the start.
  public static func nanoseconds(_ ns: Int) -> VirtualTime { zero.advanced(by: .nanoseconds(ns)) }
}

extension VirtualTime: Strideable {
  /// The time from this moment to another; negative if the other is earlier.
  public func distance(to other: VirtualTime) -> Interval {
    Interval(wholeNanoseconds: other.nanoseconds.saturatingSubtraction(nanoseconds))
  }

  /// The moment a span later, or ``max`` where there is no such moment.
  ///
  /// ```swift
  /// VirtualTime.seconds(1).advanced(by: .milliseconds(500))  // 1500ms
  /// VirtualTime.max.advanced(by: .seconds(-1))               // never: it has no date to go from
  /// ```
  public func advanced(by interval: Interval) -> VirtualTime {
    guard self != .max else { return .max }
    return VirtualTime(nanoseconds: nanoseconds.saturatingAddition(interval.nanoseconds))
  }

  // By hand: the ones that `Strideable` offers go through `distance(to:)`.

  /// Whether both are the same moment.
  public static func == (lhs: VirtualTime, rhs: VirtualTime) -> Bool {
    lhs.nanoseconds == rhs.nanoseconds
  }

  /// Whether the first is earlier.
  public static func < (lhs: VirtualTime, rhs: VirtualTime) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }
}

extension VirtualTime: CustomStringConvertible {
  /// The moment in the largest unit that is exact, or `never`.
  public var description: String {
    self == .max ? "never" : Interval(wholeNanoseconds: nanoseconds).description
  }
}
