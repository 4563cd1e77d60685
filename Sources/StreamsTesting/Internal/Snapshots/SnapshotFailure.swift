/// The text of a failed comparison: what failed, the files, the first difference, all differences,
/// and what to do about it.
struct SnapshotFailure: CustomStringConvertible {
  let subject: String
  let reference: String
  /// The reference's text, or `nil` if the reference is missing.
  let expected: String?
  let actual: String
  let text: String
  /// Why the actual text couldn't be written, or `nil`.
  let problem: String?

  /// The largest number of lines of a difference.
  private static let diffLimit = 60

  /// The largest number of lines on a side that are searched for differences, because the time for
  /// this grows with lines times changes.
  static let lineLimit = 20_000

  var description: String {
    (head + firstDivergence + diff + advice).joined(separator: "\n")
  }

  private var head: [String] {
    [
      "\(subject): \(expected == nil ? "no reference" : "changed").",
      "  reference: \(reference)\(expected == nil ? " (missing)" : "")",
      "  actual:    \(actual)\(problem.map { " can't be written: \($0)" } ?? "")",
    ]
  }

  private var comparison: UnifiedDiff { UnifiedDiff(old: expected ?? "", new: text) }

  private var firstDivergence: [String] {
    guard expected != nil, let divergence = comparison.firstDivergence else { return [] }
    // As Swift literals, so you can see trailing spaces and control characters.
    return [
      "First difference, line \(divergence.line):",
      "  expected: \(divergence.old.map(\.debugDescription) ?? "the end")",
      "  actual:   \(divergence.new.map(\.debugDescription) ?? "the end")",
    ]
  }

  private var diff: [String] {
    let comparison = comparison
    guard comparison.lineCount <= Self.lineLimit else {
      return ["More than \(Self.lineLimit) lines: see the files for the other differences."]
    }
    let lines = comparison.lines()
    let names = ["--- \(expected == nil ? "/dev/null" : reference)", "+++ \(actual)"]
    guard lines.count > Self.diffLimit else { return names + lines }
    return names + lines.prefix(Self.diffLimit)
      + ["… \(lines.count - Self.diffLimit) more lines, see \(actual)"]
  }

  private var advice: [String] {
    let all = "SNAPSHOT_RECORD=\(expected == nil ? "missing" : "failed") swift test"
    guard problem == nil else { return ["To accept it: \(all)"] }
    let folder = reference.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let makesFolder =
      expected == nil ? "mkdir -p \(quoted(folder.joined(separator: "/"))) && " : ""
    return [
      "To accept it: \(makesFolder)cp \(quoted(actual)) \(quoted(reference))",
      "To accept all that \(expected == nil ? "are missing" : "differ"): \(all)",
    ]
  }
}

/// A path as one word for a shell.
private func quoted(_ path: String) -> String {
  let isPlain = path.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || $0.properties.numericType != nil
      || "/._-+".unicodeScalars.contains($0)
  }
  if isPlain { return path }
  return "'"
    + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
