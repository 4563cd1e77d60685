import VirtualTime

/// The unit of all times in a transcript or a diagram, as in `0ms`, `120ms`, `1000ms`.
///
/// With one unit and no decimals, you can compare times at a glance. Milliseconds are the largest
/// unit, so that a transcript written during the run uses the same one.
package enum TimeUnit: Int64, CaseIterable, Sendable {
  case milliseconds = 1_000_000
  case microseconds = 1_000
  case nanoseconds = 1

  /// Chooses the largest unit in which all these times are whole numbers.
  ///
  /// `never` doesn't count.
  init(fitting times: some Collection<VirtualTime>) {
    let times = times.filter { $0 != .max }
    self = Self.allCases.first { unit in times.allSatisfy(unit.isExact) } ?? .nanoseconds
  }

  /// Returns the time in this unit. If that isn't a whole number, the largest exact unit is used
  /// instead.
  func text(of time: VirtualTime) -> String {
    time != .max && isExact(time)
      ? "\(time.nanoseconds / rawValue)\(symbol)" : time.description
  }

  /// Returns the time in this unit, without the unit's symbol.
  func number(of time: VirtualTime) -> String {
    time != .max && isExact(time) ? "\(time.nanoseconds / rawValue)" : time.description
  }

  private func isExact(_ time: VirtualTime) -> Bool {
    time.nanoseconds.isMultiple(of: rawValue)
  }

  /// The symbol, such as `ms`.
  var symbol: String {
    switch self {
    case .milliseconds: "ms"
    case .microseconds: "us"
    case .nanoseconds: "ns"
    }
  }
}
