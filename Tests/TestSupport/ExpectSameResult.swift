import StreamsTesting
import Testing

/// Expects that a program's result equals another one. A failure shows what differs: both statuses,
/// and a unified diff of each output.
///
/// - Parameters:
///   - actual: The result of the run under test.
///   - expected: The result that it should have.
///   - run: Which run this is, if a test has several.
package func expectSameResult(
  _ actual: ExecutableResult, as expected: ExecutableResult, run: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let difference = actual.difference(from: expected) else { return }
  let subject = run.map { "\($0): " } ?? ""
  Issue.record("\(subject)\(difference)", sourceLocation: sourceLocation)
}

extension ExecutableResult {
  private static let diffLimit = 100

  /// The longest text that is compared line by line, because that takes long.
  package static let lineLimit = 20_000

  /// The text of a failure: how this result differs from the expected one. `nil` if they're equal.
  package func difference(from expected: ExecutableResult) -> String? {
    guard self != expected else { return nil }
    var lines = ["The results differ."]
    if status != expected.status {
      lines.append("status: \(status), expected \(expected.status)")
    }
    lines += Self.difference(of: "stdout", stdout, from: expected.stdout)
    lines += Self.difference(of: "stderr", stderr, from: expected.stderr)
    return lines.joined(separator: "\n")
  }

  private static func difference(
    of name: String, _ actual: String, from expected: String
  ) -> [String] {
    let diff = UnifiedDiff(old: expected, new: actual)
    guard let first = diff.firstDivergence else { return [] }
    guard diff.lineCount <= lineLimit else {
      return [
        "\(name), line \(first.line): \(quoted(first.new)), expected \(quoted(first.old))"
      ]
    }
    let lines = diff.lines()
    let rest = lines.count - diffLimit
    return ["--- expected \(name)", "+++ actual \(name)"] + lines.prefix(diffLimit)
      + (rest > 0 ? ["… \(rest) more lines"] : [])
  }

  private static func quoted(_ line: String?) -> String {
    line.map(\.debugDescription) ?? "the end"
  }
}
