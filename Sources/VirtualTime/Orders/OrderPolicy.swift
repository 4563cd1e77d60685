/// How a clock chooses between things that could happen in either order.
///
/// Two events at one instant of virtual time happen in one order in your test, and in production in
/// either. A policy other than ``firstComeFirstServed`` shows the others: see ``Schedule`` for what
/// is a choice and what isn't.
public enum OrderPolicy: Hashable, Sendable {
  /// What was scheduled first runs first. This is the usual order.
  case firstComeFirstServed

  /// What was scheduled last runs first.
  case lastComeFirstServed

  /// Each choice is random, and the same for the same seed.
  case seeded(UInt64)

  /// Each choice is the one that the schedule names, and the usual one where it names none.
  case replay(Schedule)
}
