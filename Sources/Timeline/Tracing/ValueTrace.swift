import Streams

extension Timeline {
  /// A value that has arrived at an operator and that the operator still holds, such as one in a
  /// buffer.
  package struct KeptValue: Hashable, Sendable {
    /// What the operator calls itself, such as `Zip`.
    package let keeper: String

    /// The numbers of the events that the value is made of; empty if it passed no lane before.
    package let events: [Int]
  }
}

/// Whether the values of a timeline's run know their origins, and which of them operators hold.
///
/// No operator tells what it holds. But in a pipeline that's traced, it holds each value together
/// with its origins, and those have a ``Hold``. As soon as the operator lets go of the value, the
/// hold is released, and with it the entry in this list.
///
/// Some operators let go of a value that they have replaced only when the new one has been
/// delivered.
final class ValueTrace: Sendable {
  private struct Entry {
    let value: Timeline.KeptValue
    /// How many deliveries of the value are going on. Meanwhile it's on its way, and not kept. It
    /// begins with the one to the operator.
    var deliveries = 1
  }

  private struct State {
    var isOn = false
    var automaticLanes: AutomaticLanes?
    var lastNumber = 0
    /// The entries by their numbers; `nil` if they aren't needed.
    var entries: [Int: Entry]?
  }

  private let state = Locked(State())

  /// Whether pipelines carry the origins of values.
  var isOn: Bool { state.withLock { $0.isOn } }

  /// What gives each publisher a lane; `nil` if only those have one that ask for it.
  var automaticLanes: AutomaticLanes? {
    get { state.withLock { $0.automaticLanes } }
    set { state.withLock { $0.automaticLanes = newValue } }
  }

  /// Lets pipelines that are subscribed to from now on carry the origins of values.
  func begin() {
    state.withLock { state in
      if !state.isOn { ValueTracer.begin() }
      state.isOn = true
    }
  }

  /// Ends the trace with its timeline.
  func end() {
    state.withLock { state in
      if state.isOn { ValueTracer.end() }
      (state.isOn, state.entries) = (false, nil)
    }
  }

  /// Lists the values that operators hold, from now on.
  func beginList() { state.withLock { $0.entries = $0.entries ?? [:] } }

  /// The values that operators hold now, in the order in which they arrived.
  var keptValues: [Timeline.KeptValue] {
    state.withLock { state in
      (state.entries ?? [:]).filter { $1.deliveries == 0 }.sorted { $0.key < $1.key }
        .map(\.value.value)
    }
  }

  /// Lists a value that's being delivered as kept by an operator; `nil` if there's no list.
  func hold(_ value: @autoclosure () -> Timeline.KeptValue) -> Hold? {
    guard state.withLock({ $0.entries != nil }) else { return nil }
    let value = value()
    return Hold(
      self,
      number: state.withLock { state in
        state.lastNumber += 1
        state.entries?[state.lastNumber] = Entry(value: value)
        return state.lastNumber
      })
  }

  /// An entry in the list, which lives as long as this.
  final class Hold: Sendable {
    private let trace: ValueTrace
    private let number: Int

    fileprivate init(_ trace: ValueTrace, number: Int) {
      (self.trace, self.number) = (trace, number)
    }

    deinit { trace.state.withLock { $0.entries?[number] = nil } }

    /// Ends the delivery to the operator.
    func arrive() { count(-1) }

    fileprivate func count(_ deliveries: Int) {
      trace.state.withLock { $0.entries?[number]?.deliveries += deliveries }
    }
  }
}

extension [ValueTrace.Hold] {
  /// Runs a delivery of the values from their operator.
  func delivering<Result>(_ body: () -> Result) -> Result {
    for hold in self { hold.count(1) }
    defer { for hold in self { hold.count(-1) } }
    return body()
  }
}
