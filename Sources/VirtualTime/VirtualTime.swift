import Streams

/// A moment on a virtual clock: whole nanoseconds since the start of the scenario.
///
/// It always prints in the largest unit that is exact:
///
/// ```swift
/// print(VirtualTime.zero, VirtualTime.milliseconds(300))  // Prints "0 300ms"
/// print(VirtualTime.microseconds(1_500))                  // Prints "1500us"
/// ```
///
/// A scheduler has a `now` like a Swift `Clock`, but it isn't a `Clock`. That protocol requires a
/// `sleep`, and no number of yields shows for certain that a task that woke up has done everything
/// it can do at one moment.
public struct VirtualTime: Hashable, Sendable {
  /// The nanoseconds since the start of the scenario.
  public let nanoseconds: Int64

  /// Makes a moment from the nanoseconds since the start of the scenario.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The start of the scenario.
  public static let zero = VirtualTime(nanoseconds: 0)

  /// Never: work due at this moment is accepted and listed, but doesn't run.
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

  /// The moment an interval later, or ``max`` if that is too late to represent.
  ///
  /// ```swift
  /// VirtualTime.seconds(1).advanced(by: .milliseconds(500))  // 1500ms
  /// VirtualTime.max.advanced(by: .seconds(-1))               // never: it stays never
  /// ```
  public func advanced(by interval: Interval) -> VirtualTime {
    guard self != .max else { return .max }
    return VirtualTime(nanoseconds: nanoseconds.saturatingAddition(interval.nanoseconds))
  }

  // Written by hand, because the defaults of `Strideable` go through `distance(to:)`.

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

extension VirtualTime {
  /// Reads a time, such as `120ms`, `0` or `never`.
  package init?(parsing text: String) {
    let units: [(name: String, length: Int64)] = [
      ("ms", 1_000_000), ("us", 1_000), ("ns", 1), ("s", 1_000_000_000),
    ]
    switch text {
    case "never": self = .max
    case "0": self = .zero
    default:
      guard let unit = units.first(where: { text.hasSuffix($0.name) }),
        let count = Int64(text.dropLast(unit.name.count))
      else { return nil }
      let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: unit.length)
      guard !overflow else { return nil }
      self.init(nanoseconds: nanoseconds)
    }
  }
}
