/// A point in a run on the virtual clock: when something happens, and its place in the order of
/// that instant.
///
/// The clock runs the actions of an instant in the order in which they were scheduled. So the place
/// of an action is the moment at which it was scheduled. Within an action, calls nest, and the path
/// numbers them from the outside in:
///
/// ```swift
/// let sent = Moment.start.scheduled(after: 10)
/// sent.step(0) < sent.step(1)                                // Two calls, one after the other.
/// sent.step(0).step(7) < sent.step(1)                        // A nested call comes first.
/// sent.step(1) < sent.step(0).scheduled(after: 0)            // A new action waits its turn.
/// sent.step(0).scheduled(after: 5) < sent.step(1).scheduled(after: 5)
/// ```
struct Moment: Comparable, Sendable {
  /// A place among the calls that one call makes.
  enum Place: Sendable {
    /// The number of the call.
    case step(Int)
    /// A subject's call to the subscriber that subscribed at a moment. The earliest comes first.
    case subscriber(Moment)
  }

  /// The milliseconds on the clock.
  let time: Int

  /// The moment at which the action was scheduled. Empty for the code that sets up the run.
  private let origin: [Moment]

  /// The places of the calls, from the outside in.
  private let path: [Place]

  /// The beginning of the run: the code that subscribes.
  static let start = Moment(time: 0, origin: [], path: [])

  /// A moment that never comes.
  static let never = Moment(time: .max, origin: [], path: [])

  /// A call within this one.
  func step(_ number: Int) -> Moment { within(.step(number)) }

  /// A subject's call to one of its subscribers, within this one.
  func delivery(toSubscriberFrom subscription: Moment) -> Moment {
    within(.subscriber(subscription))
  }

  /// An action that is scheduled at this moment.
  func scheduled(after delay: Int) -> Moment {
    time == .max ? self : Moment(time: time + delay, origin: [self], path: [])
  }

  /// Whether this is a moment within a call, or that of the call itself.
  func isWithin(_ call: Moment) -> Bool {
    guard time == call.time, path.count >= call.path.count else { return false }
    return Moment(time: time, origin: origin, path: Array(path.prefix(call.path.count))) == call
  }

  private func within(_ place: Place) -> Moment {
    Moment(time: time, origin: origin, path: path + [place])
  }

  private func order(_ other: Moment) -> Int {
    if time != other.time { return time < other.time ? -1 : 1 }
    // Loops and switches that cost little, because most of the time of a run is spent here.
    if origin.count != other.origin.count { return origin.count - other.origin.count }
    if !origin.isEmpty {
      let order = origin[0].order(other.origin[0])
      if order != 0 { return order }
    }
    let count = path.count < other.path.count ? path.count : other.path.count
    var index = 0
    while index < count {
      let order = path[index].order(other.path[index])
      if order != 0 { return order }
      index += 1
    }
    return path.count - other.path.count
  }

  static func < (first: Moment, second: Moment) -> Bool { first.order(second) < 0 }

  static func == (first: Moment, second: Moment) -> Bool { first.order(second) == 0 }
}

extension Moment.Place {
  fileprivate func order(_ other: Self) -> Int {
    switch self {
    case .step(let first):
      switch other {
      case .step(let second): return first - second
      case .subscriber: return -1
      }
    case .subscriber(let first):
      switch other {
      case .step: return 1
      case .subscriber(let second): return first.order(second)
      }
    }
  }
}
