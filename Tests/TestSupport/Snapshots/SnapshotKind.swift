/// What a snapshot shows; names its file.
package enum SnapshotKind: String, CaseIterable, Sendable {
  /// What the executable prints.
  case transcript
  /// What the executable prints with a flag of its own.
  case variant
  /// What the executable says of its use.
  case help
  /// The record of a run, one event a line.
  case trace
  /// The marble diagram.
  case marble
  /// The sentence a screen reader speaks.
  case sentence
  /// What was requested of whom.
  case demand
  /// The network requests and their answers.
  case requests
  /// The distinct outcomes of all orders that were tried.
  case outcomes
  /// The text of a failure message.
  case failure
  /// The picture.
  case svg
}
