import Testing

/// Records an issue unless both values are equal.
///
/// It compiles several times faster than `#expect`, and says as much.
package func expectEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ comment: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard actual != expected else { return }
  Issue.record(
    "\(comment.map { $0 + ": " } ?? "")\(actual) isn't the expected \(expected)",
    sourceLocation: sourceLocation)
}
