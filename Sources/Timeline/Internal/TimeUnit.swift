import VirtualTime

/// A unit in which a transcript or a diagram writes all of its times: `0ms`, `120ms`, `1000ms`.
///
/// With one unit and no decimals, times can be compared at a glance.
package enum TimeUnit: Int64, CaseIterable, Sendable {
  case seconds = 1_000_000_000
  case milliseconds = 1_000_000
  case microseconds = 1_000
  case nanoseconds = 1

  /// The largest unit in which all these times are whole numbers.
  ///
  /// Times of zero alone are whole in every unit; they're written in milliseconds.
  init(fitting times: some Collection<VirtualTime>) {
    let times = times.filter { $0 != .zero && $0 != .max }
    self =
      times.isEmpty
      ? .milliseconds
      : Self.allCases.first { unit in times.allSatisfy(unit.isExact) } ?? .nanoseconds
  }

  /// The time in this unit or, where that isn't a whole number, in the largest one that is exact.
  func text(of time: VirtualTime) -> String {
    time != .max && isExact(time)
      ? "\(time.nanoseconds / rawValue)\(symbol)" : time.description
  }

  private func isExact(_ time: VirtualTime) -> Bool {
    time.nanoseconds.isMultiple(of: rawValue)
  }

  private var symbol: String {
    switch self {
    case .seconds: "s"
    case .milliseconds: "ms"
    case .microseconds: "us"
    case .nanoseconds: "ns"
    }
  }
}
