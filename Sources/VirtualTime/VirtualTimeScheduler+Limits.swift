extension VirtualTimeScheduler {
  /// How much a scheduler runs before it reports that something doesn't end.
  ///
  /// All limits are counts. With a limit in real time, the result of a test would depend on the
  /// machine it runs on.
  public struct Limits: Hashable, Sendable {
    /// How many actions may follow from one another without time moving: each was scheduled by the
    /// one before.
    public var actionsAtOneInstant: Int

    /// How many actions may follow from one another in one call, such as
    /// ``VirtualTimeScheduler/run(limit:)``. Each run of a repeat follows from the one before.
    ///
    /// Work that doesn't end has a long chain. Work that does has a short one, even if there's much
    /// of it.
    public var actionsInOneChain: Int

    /// How many actions may run in one call in all. This limit is for work that multiplies.
    public var actionsInOneCall: Int

    /// 10,000 actions at one instant, 1,000,000 in one chain and 10,000,000 in one call.
    public static let `default` = Limits()

    /// Makes limits.
    public init(
      actionsAtOneInstant: Int = 10_000, actionsInOneChain: Int = 1_000_000,
      actionsInOneCall: Int = 10_000_000
    ) {
      self.actionsAtOneInstant = actionsAtOneInstant
      self.actionsInOneChain = actionsInOneChain
      self.actionsInOneCall = actionsInOneCall
    }
  }
}
