/// The reason why a snapshot can't be compared at all.
package struct SnapshotSetupError: Error, Equatable, CustomStringConvertible {
  /// The problem, and how to fix it.
  package let description: String

  /// Makes an error from its text.
  package init(_ description: String) { self.description = description }
}
