/// The value of `SNAPSHOT_RECORD`: which references may be written when a snapshot is compared.
package enum SnapshotRecordMode: String, CaseIterable, Sendable {
  /// No references. It's the default, so a retry can't turn a failure into a pass.
  case check
  /// Missing references.
  case missing
  /// Missing references, and references that differ.
  case failed
  /// All references, even those that are equal.
  case all

  /// Reads the mode from an environment.
  ///
  /// An unset or empty `SNAPSHOT_RECORD` means `check`. If `CI` is set, and isn't empty, `0` or
  /// `false`, only `check` is allowed.
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
