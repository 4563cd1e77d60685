/// Work that a scheduler hasn't run yet.
public struct PendingWork: Hashable, Sendable, CustomStringConvertible {
  /// Its number. All work is numbered from 1 in the order of scheduling, and each run of a repeat
  /// gets a new number.
  public let number: Int

  /// When it runs; ``VirtualTime/max`` if never.
  public let due: VirtualTime

  /// The label it was scheduled with.
  public let label: String?

  /// The time from one run to the next; `nil` if it runs once, or if that time is the longest one.
  public let interval: VirtualTime.Interval?

  /// How much later it may run. Recorded, but never used to move work.
  public let tolerance: VirtualTime.Interval

  /// Whether it's background work: it doesn't keep ``VirtualTimeScheduler/run(limit:)`` going, and
  /// doesn't count as unfinished.
  public let isBackground: Bool

  /// The file and line of its options, if it was scheduled with options.
  public let source: String?

  /// The number of the action that scheduled it; `nil` if it wasn't scheduled by an action.
  public let cause: Int?

  /// One line: due time and number, then label, interval, `background`, source line and cause, if
  /// there are any.
  public var description: String {
    var parts = ["\(due) #\(number)"]
    if let label { parts[0] += " \(label)" }
    if let interval { parts.append("every \(interval)") }
    if isBackground { parts.append("background") }
    if let source { parts.append("scheduled at \(source)") }
    if let cause { parts.append("scheduled by #\(cause)") }
    return parts.joined(separator: ", ")
  }
}
