import StreamsTesting
import TestSupport
import Testing

/// Runs a body in a world, and returns the issues instead of failing: file, line and message.
func problems(
  sourceLocation: SourceLocation = #_sourceLocation, in body: (World) throws -> Void
) rethrows -> [String] {
  let log = CallLog()
  try IssueReporter.$current.withValue(collector(log)) {
    try withWorld(
      fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
      body)
  }
  return log.lines
}

/// The same for an asynchronous body.
func problems(
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, in body: (World) async throws -> Void
) async rethrows -> [String] {
  let log = CallLog()
  try await IssueReporter.$current.withValue(collector(log)) {
    try await withWorld(
      fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
      body)
  }
  return log.lines
}

private func collector(_ log: CallLog) -> IssueReporter {
  IssueReporter { message, location in
    let file = location.fileID.split(separator: "/").last ?? ""
    log.append("\(file):\(location.line): \(message)")
  }
}
