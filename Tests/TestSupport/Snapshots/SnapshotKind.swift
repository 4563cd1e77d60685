/// The kind of text in a snapshot, which is also the name of its file.
package enum SnapshotKind: String, CaseIterable, Sendable {
  /// The output of the executable.
  case transcript
  /// The output of the executable with a flag of its own.
  case variant
  /// The record of a run with a flag of its own.
  case variantTrace = "variant-trace"
  /// The marble diagram of a run with a flag of its own.
  case variantMarble = "variant-marble"
  /// The chain of causes of an event.
  case why
  /// What's going on at a moment.
  case state
  /// The help text of the executable.
  case help
  /// The record of a run, one event per line.
  case trace
  /// The marble diagram.
  case marble
  /// The sentence that a screen reader speaks.
  case sentence
  /// The demand that was requested, and from which publisher.
  case demand
  /// The network requests and their responses.
  case requests
  /// The distinct outcomes of all orders that were tried.
  case outcomes
  /// The same of the executable with a flag of its own.
  case variantOutcomes = "variant-outcomes"
  /// What other times of each thing lead to.
  case sweep
  /// The same of the executable with a flag of its own.
  case variantSweep = "variant-sweep"
  /// What other times of one thing lead to.
  case sweepOfOne = "sweep-of-one"
  /// The same of the executable with a flag of its own.
  case variantSweepOfOne = "variant-sweep-of-one"
  /// What other times of each response lead to, of the executable with a flag of its own.
  case variantResponses = "variant-responses"
  /// The record of a run in another order, with another outcome.
  case otherTrace = "other-trace"
  /// The outcomes of all faults that requests can have.
  case faults
  /// The outcomes of faults that last.
  case lasting
  /// The text of a failure message.
  case failure
  /// The picture.
  case svg
}
