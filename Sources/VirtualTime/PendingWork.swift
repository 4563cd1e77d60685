/// Work that a scheduler has not done yet.
public struct PendingWork: Hashable, Sendable, CustomStringConvertible {
  /// Its number: all work is numbered from 1 in the order of scheduling, each repeat anew.
  public let number: Int

  /// When it runs; ``VirtualTime/max`` if never.
  public let due: VirtualTime

  /// The label it was scheduled with.
  public let label: String?

  /// The time from one run to the next; `nil` if it runs once.
  public let interval: VirtualTime.Interval?

  /// How much later it might run without harm. Recorded, but not used to move work.
  public let tolerance: VirtualTime.Interval

  /// Whether it neither keeps ``VirtualTimeScheduler/run()`` going nor counts as unfinished.
  public let isBackground: Bool

  /// The file and line of its options, if it was scheduled with options.
  public let source: String?

  /// The number of the action that scheduled it; `nil` if that was no action.
  public let cause: Int?

  /// One line: due time, label, interval, source line and cause, as far as there are any.
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
