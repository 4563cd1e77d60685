import StreamsTesting

/// Runs a closure, and collects the issues that `StreamsTesting` reports in it instead of failing.
///
/// - Returns: The issues in order, each as `File.swift:12: message`.
package func collectIssues(_ body: () throws -> Void) rethrows -> [String] {
  let log = CallLog()
  try IssueReporter.$current.withValue(
    IssueReporter { log.append("\($1.fileName):\($1.line): \($0)") }, operation: body)
  return log.lines
}

/// Runs a closure, and collects the issues that `StreamsTesting` reports in it instead of failing.
///
/// - Returns: The issues in order, each as `File.swift:12: message`.
package func collectIssues(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async rethrows -> [String] {
  let log = CallLog()
  try await IssueReporter.$current.withValue(
    IssueReporter { log.append("\($1.fileName):\($1.line): \($0)") }, operation: body)
  return log.lines
}
