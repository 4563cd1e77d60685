/// What a scheduler did, in order: the last actions, as many as the limits let it keep.
public struct Trace: Hashable, Sendable, CustomStringConvertible {
  /// The last actions, the oldest first.
  public let entries: [TraceEntry]

  /// How many actions before them were not kept.
  public let forgottenCount: Int

  /// One line an action, after a line that says how many were not kept, if any.
  public var description: String {
    let head = forgottenCount == 0 ? [] : ["… \(forgottenCount) before"]
    return (head + entries.map(\.description)).joined(separator: "\n")
  }
}

/// One action that a scheduler ran.
public struct TraceEntry: Hashable, Sendable, CustomStringConvertible {
  /// When it ran.
  public let time: VirtualTime

  /// Its place among the actions of that instant; the first has place 1.
  public let place: Int

  /// Its number: all work is numbered from 1 in the order of scheduling, each repeat anew.
  public let number: Int

  /// The label it was scheduled with.
  public let label: String?

  /// The number of the action that scheduled it, for a repeat each time the same; `nil` if that
  /// was no action.
  public let cause: Int?

  /// Whether its date had passed when it was scheduled.
  public let isLate: Bool

  /// One line: time, place in the instant after a dot, number, label, cause.
  ///
  /// ```swift
  /// print(entry)  // Prints "300ms.1 #4 tick, scheduled by #2"
  /// ```
  public var description: String {
    var text = "\(time).\(place) #\(number)"
    if let label { text += " \(label)" }
    if isLate { text += ", late" }
    if let cause { text += ", scheduled by #\(cause)" }
    return text
  }
}
