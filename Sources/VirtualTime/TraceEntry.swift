/// One action that a scheduler ran.
public struct TraceEntry: Hashable, Sendable, CustomStringConvertible {
  /// When it ran.
  public let time: VirtualTime

  /// Its place among the actions of that instant; the first has place 1.
  public let place: Int

  /// Its number. All work is numbered from 1 in the order of scheduling, and each run of a repeat
  /// gets a new number.
  public let number: Int

  /// The label it was scheduled with.
  public let label: String?

  /// The number of the action that scheduled it, the same for each run of a repeat; `nil` if it
  /// wasn't scheduled by an action.
  public let cause: Int?

  /// Whether its date had already passed when it was scheduled.
  public let isLate: Bool

  /// One line: the time, a dot and the place in the instant, the number, the label, whether it's
  /// late, and the cause.
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
