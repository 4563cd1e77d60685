/// What may be written when a snapshot is compared: the value of `SNAPSHOT_RECORD`.
package enum SnapshotRecordMode: String, CaseIterable, Sendable {
  /// Nothing: the default, so that a retry cannot turn a failure into a pass.
  case check
  /// References that are not there yet.
  case missing
  /// References that are not there yet or differ.
  case failed
  /// All references; obsolete ones are removed.
  case all

  /// Reads the mode from an environment.
  ///
  /// An unset or empty `SNAPSHOT_RECORD` is `check`. With `CI` set to anything but empty, `0` or
  /// `false`, nothing else is allowed.
  package init(environment: [String: String]) throws(SnapshotSetupError) {
    let value = environment["SNAPSHOT_RECORD"] ?? ""
    guard let mode = value.isEmpty ? .check : Self(rawValue: value) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw SnapshotSetupError("SNAPSHOT_RECORD is \"\(value)\"; it takes one of: \(names).")
    }
    let isContinuousIntegration = !["", "0", "false"].contains(environment["CI"] ?? "")
    guard mode == .check || !isContinuousIntegration else {
      throw SnapshotSetupError(
        "SNAPSHOT_RECORD is \"\(value)\" while CI is set; only check is allowed there.")
    }
    self = mode
  }
}

/// Why snapshots cannot be compared at all.
package struct SnapshotSetupError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  package let description: String

  /// Makes an error from its text.
  package init(_ description: String) { self.description = description }
}
