import VirtualTime

/// When a subscription to a ``ColdPublisher`` or a ``HotPublisher`` began, and when it ended.
///
/// Compare whole lists with `expectSubscriptions`.
public struct TimedSubscription: Hashable, Sendable {
  /// When the subscriber subscribed.
  public let subscribed: VirtualTime

  /// When the subscriber cancelled; `nil` if it didn't, or only after the completion.
  public internal(set) var cancelled: VirtualTime?

  /// When the subscriber received the completion; `nil` if it didn't.
  public internal(set) var completed: VirtualTime?

  /// Makes a record for a test to compare with.
  public init(
    subscribed: VirtualTime, cancelled: VirtualTime? = nil, completed: VirtualTime? = nil
  ) {
    self.subscribed = subscribed
    self.cancelled = cancelled
    self.completed = completed
  }

  /// The subscription in marbles, with `|` for the completion.
  var symbols: [MarbleString.Placed] {
    [MarbleString.Placed(.subscription, at: subscribed)]
      + (cancelled.map { [MarbleString.Placed(.cancelled, at: $0)] } ?? [])
      + (completed.map { [MarbleString.Placed(.finished, at: $0)] } ?? [])
  }
}

extension TimedSubscription: CustomStringConvertible {
  /// The subscription as a marble string, such as `^--!`.
  public var description: String { MarbleString(symbols).text() }
}
