/// The recorded values that a value is made of.
///
/// They travel with the code that delivers a value, as a task-local value. So `map` needs to do
/// nothing: its result is made of what it received. An operator that keeps values, such as `zip`,
/// has them kept together with their origins; see ``KeepsValues``.
struct Origins: Sendable {
  /// The trace of their timeline; `nil` if there are none.
  var trace: ValueTrace?

  /// The numbers of the events, ascending and without repeats.
  var events: [Int] = []

  /// What lists the values as kept, as long as an operator holds these origins.
  var holds: [ValueTrace.Hold] = []

  /// A running total is made of all values before it. This keeps a long run from needing memory for
  /// the square of its length.
  static let limit = 100

  /// The origins of a value that's made of two others.
  static func + (lhs: Origins, rhs: Origins) -> Origins {
    guard let last = lhs.events.last, let first = rhs.events.first, last < first,
      lhs.trace === rhs.trace
    else { return [lhs, rhs].joined() }
    return Origins(trace: lhs.trace, events: lhs.events + rhs.events, holds: lhs.holds + rhs.holds)
  }

  /// The origins that others have too.
  func intersection(_ other: Origins) -> Origins {
    let events = trace === other.trace ? events.filter(Set(other.events).contains) : []
    return Origins(trace: events.isEmpty ? nil : trace, events: events)
  }

  /// The latest of them, up to the limit, for a result that holds none of the values.
  var latest: Origins {
    if events.count <= Self.limit { return Origins(trace: trace, events: events) }
    return Origins(trace: trace, events: Array(events.suffix(Self.limit)))
  }
}

/// A value together with its origins.
struct Traced<Value> {
  let value: Value
  let origins: Origins

  init(_ value: Value, _ origins: Origins = Origins()) {
    self.value = value
    self.origins = origins
  }
}

extension [Origins] {
  /// The origins of a value that's made of many others.
  func joined() -> Origins {
    let holds = flatMap(\.holds)
    guard let trace = last(where: { !$0.events.isEmpty })?.trace else {
      return Origins(holds: holds)
    }
    let events = lazy.filter { $0.trace === trace }.flatMap(\.events)
    return Origins(trace: trace, events: Set(events).sorted(), holds: holds)
  }
}
