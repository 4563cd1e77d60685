import VirtualTime

extension Timeline {
  /// A time that an operator lets pass, such as `debounce`'s pause or `timeout`'s limit.
  ///
  /// Operators that have a scheduler begin one each time they start a timer. The timer is over when
  /// it's due, or it's stopped before: by a newer value, by the end of the stream, or by
  /// cancellation. Nothing needs to follow from it.
  public struct Wait: Hashable, Sendable {
    /// What became of a wait.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
      /// The time has passed.
      case over
      /// The timer was stopped before.
      case stopped
      /// The run ended before.
      case pending
    }

    /// The first lane below the operator.
    public let lane: Lane

    /// The subscription of that lane; see ``Event/subscription``.
    public let subscription: Int?

    /// When the wait began.
    public let start: VirtualTime

    /// When it ended; for a pending one, that's `start`.
    public let end: VirtualTime

    /// What became of it.
    public let ending: Ending

    /// The number of the event that started the timer; `nil` if the program's own code did.
    public let cause: Int?

    /// Makes a wait. A ``Timeline`` makes its own waits.
    public init(
      lane: Lane, subscription: Int? = nil, start: VirtualTime, end: VirtualTime, ending: Ending,
      cause: Int? = nil
    ) {
      self.lane = lane
      self.subscription = subscription
      self.start = start
      self.end = end
      self.ending = ending
      self.cause = cause
    }
  }
}
