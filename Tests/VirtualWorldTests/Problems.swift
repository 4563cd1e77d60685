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
///
/// - Parameter tasks: Whether tasks belong to the world.
func problems(
  _ tasks: World.Tasks = .inside, waits: World.Waits = .moveTime,
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, in body: (World) async throws -> Void
) async rethrows -> [String] {
  let log = CallLog()
  try await IssueReporter.$current.withValue(collector(log)) {
    try await withWorld(
      tasks: tasks, waits: waits, fileID: sourceLocation.fileID,
      filePath: sourceLocation.filePath, line: sourceLocation.line, body)
  }
  return log.lines
}

/// The same for a body that throws, with its error.
func problemsAndError(
  sourceLocation: SourceLocation = #_sourceLocation, in body: (World) throws -> Void
) -> (found: [String], error: (any Error)?) {
  var caught: (any Error)?
  let log = CallLog()
  IssueReporter.$current.withValue(collector(log)) {
    do {
      try withWorld(
        fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
        body)
    } catch {
      caught = error
    }
  }
  return (log.lines, caught)
}

/// The same for an asynchronous body that throws.
func problemsAndError(
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, in body: (World) async throws -> Void
) async -> (found: [String], error: (any Error)?) {
  var caught: (any Error)?
  let log = CallLog()
  await IssueReporter.$current.withValue(collector(log)) {
    do {
      try await withWorld(
        fileID: sourceLocation.fileID, filePath: sourceLocation.filePath, line: sourceLocation.line,
        body)
    } catch {
      caught = error
    }
  }
  return (log.lines, caught)
}

private func collector(_ log: CallLog) -> IssueReporter {
  IssueReporter { message, location in
    let file = location.fileID.split(separator: "/").last ?? ""
    log.append("\(file):\(location.line): \(message)")
  }
}

/// The issues of an expectation that runs a body in worlds of its own.
enum IssueLog {
  static func messages(of body: () throws -> Void) rethrows -> [String] {
    let messages = Locked<[String]>([])
    let reporter = IssueReporter { message, _ in messages.withLock { $0.append(message) } }
    try IssueReporter.$current.withValue(reporter, operation: body)
    return messages.withLock { $0 }
  }
}
