import VirtualTime

/// The unit of the times in a transcript or a diagram, as in `0ms`, `120ms`, `1000ms`.
///
/// With one unit and no decimals, you can compare times at a glance. Milliseconds are the largest
/// unit, so that a transcript written during the run uses the same one. A time that isn't a whole
/// number in it is written in its own unit, so that one odd time doesn't change all others. Only an
/// answer to a question in seconds has seconds.
package struct TimeUnit: Hashable, Sendable {
  private enum Unit: Int64, CaseIterable {
    case seconds = 1_000_000_000
    case milliseconds = 1_000_000
    case microseconds = 1_000
    case nanoseconds = 1

    var symbol: String {
      switch self {
      case .seconds: "s"
      case .milliseconds: "ms"
      case .microseconds: "us"
      case .nanoseconds: "ns"
      }
    }

    func isExact(_ time: VirtualTime) -> Bool { time.nanoseconds.isMultiple(of: rawValue) }
  }

  private let unit: Unit
  /// Whether all times are whole numbers in it.
  private let fitsAll: Bool

  /// Milliseconds, for times that aren't known yet.
  package static let milliseconds = TimeUnit(unit: .milliseconds, fitsAll: true)

  private init(unit: Unit, fitsAll: Bool) {
    self.unit = unit
    self.fitsAll = fitsAll
  }

  /// Chooses the largest unit in which at least half of these times are whole numbers.
  ///
  /// Each time counts once. Zero and `never` don't count.
  package init(fitting times: some Collection<VirtualTime>) {
    let times = Set(times).subtracting([.zero, .max])
    func count(_ unit: Unit) -> Int { times.count(where: unit.isExact) }
    unit = Unit.allCases.dropFirst().first { count($0) * 2 >= times.count } ?? .nanoseconds
    fitsAll = count(unit) == times.count
  }

  /// The unit of a time that a reader has written, such as `1000ms`; milliseconds if it has none.
  package init(of text: String) {
    // That of seconds is also the end of all others.
    unit = Unit.allCases.reversed().first { text.hasSuffix($0.symbol) } ?? .milliseconds
    fitsAll = true
  }

  /// Returns the time in this unit. If that isn't a whole number, the largest exact unit is used
  /// instead.
  package func text(of time: VirtualTime) -> String {
    time != .max && unit.isExact(time)
      ? "\(time.nanoseconds / unit.rawValue)\(unit.symbol)" : time.description
  }

  /// Returns the interval in this unit, as ``text(of:)`` does for a time.
  package func text(ofInterval interval: VirtualTime.Interval) -> String {
    text(of: VirtualTime.zero.advanced(by: interval))
  }

  /// Returns the time without a unit if all times have this one, and else with its unit.
  package func number(of time: VirtualTime) -> String {
    fitsAll && time != .max && unit.isExact(time)
      ? "\(time.nanoseconds / unit.rawValue)" : text(of: time)
  }

  /// The symbol of all times that have none of their own, such as `ms`; `nil` if each has one.
  package var symbol: String? { fitsAll ? unit.symbol : nil }
}
