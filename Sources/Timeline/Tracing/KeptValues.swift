import Streams

extension Timeline {
  /// A value that has arrived at an operator and that the operator still holds, such as one in a
  /// buffer.
  package struct KeptValue: Hashable, Sendable {
    /// What the operator calls itself, such as `Zip`.
    package let keeper: String

    /// The numbers of the events that the value is made of; empty if it passed no lane before.
    package let events: [Int]

    /// Makes a value that an operator keeps.
    package init(keeper: String, events: [Int]) {
      (self.keeper, self.events) = (keeper, events)
    }
  }
}

/// The values that operators hold, of all timelines.
///
/// No operator tells what it holds. But in a pipeline that's recorded, it holds each value together
/// with its origins, and those have a ``Hold``. As soon as the operator lets go of the value, the
/// hold is released, and with it the entry in this list.
///
/// Some operators let go of a value that they have replaced only when the new one has been
/// delivered.
enum KeptValues {
  private struct Entry {
    let value: Timeline.KeptValue
    /// How many deliveries of the value are going on. Meanwhile it's on its way, and not kept. It
    /// begins with the one to the operator.
    var deliveries = 1
  }

  private struct State {
    var lastNumber = 0
    /// The entries of each timeline that keeps track of them, by their numbers.
    var entries: [Int: [Int: Entry]] = [:]
  }

  private static let state = Locked(State())

  /// Begins to keep track of the values of a timeline.
  static func begin(_ timeline: Int) {
    state.withLock { $0.entries[timeline] = $0.entries[timeline] ?? [:] }
  }

  /// Forgets the values of a timeline.
  static func end(_ timeline: Int) {
    _ = state.withLock { $0.entries.removeValue(forKey: timeline) }
  }

  /// Whether the values of a timeline are tracked.
  static func areTracked(_ timeline: Int) -> Bool {
    state.withLock { $0.entries[timeline] != nil }
  }

  /// The values that operators hold now, in the order in which they arrived.
  static func values(of timeline: Int) -> [Timeline.KeptValue] {
    state.withLock { state in
      (state.entries[timeline] ?? [:]).filter { $1.deliveries == 0 }.sorted { $0.key < $1.key }
        .map(\.value.value)
    }
  }

  /// An entry in the list, which lives as long as this.
  final class Hold: Sendable {
    private let timeline: Int
    private let number: Int

    init(_ value: Timeline.KeptValue, timeline: Int) {
      self.timeline = timeline
      number = state.withLock { state in
        state.lastNumber += 1
        state.entries[timeline]?[state.lastNumber] = Entry(value: value)
        return state.lastNumber
      }
    }

    deinit { state.withLock { $0.entries[timeline]?[number] = nil } }

    /// Ends the delivery to the operator.
    func arrive() { count(-1) }

    fileprivate func count(_ deliveries: Int) {
      state.withLock { $0.entries[timeline]?[number]?.deliveries += deliveries }
    }
  }
}

extension [KeptValues.Hold] {
  /// Runs a delivery of the values from their operator.
  func delivering<Result>(_ body: () -> Result) -> Result {
    for hold in self { hold.count(1) }
    defer { for hold in self { hold.count(-1) } }
    return body()
  }
}
