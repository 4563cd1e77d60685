extension VirtualTimeScheduler {
  /// How far a scheduler goes before it reports that something does not end.
  ///
  /// Counts only: a limit in wall time would make a test pass or fail with the machine it runs on.
  public struct Limits: Hashable, Sendable {
    /// How many actions may run without time moving.
    public var actionsAtOneInstant: Int

    /// How many actions may run in one call, such as ``VirtualTimeScheduler/run()``.
    public var actionsInOneCall: Int

    /// How many actions the trace keeps: always the last ones, at 64 bytes each.
    ///
    /// It keeps five at the least, for reports quote them. With `Int.max` it keeps all.
    public var traceLength: Int

    /// 10,000 actions at one instant, 1,000,000 in one call, and a trace of 1,000.
    public static let `default` = Limits()

    /// Makes limits.
    public init(
      actionsAtOneInstant: Int = 10_000, actionsInOneCall: Int = 1_000_000,
      traceLength: Int = 1_000
    ) {
      self.actionsAtOneInstant = actionsAtOneInstant
      self.actionsInOneCall = actionsInOneCall
      self.traceLength = traceLength
    }
  }
}
