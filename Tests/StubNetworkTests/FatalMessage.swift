import StreamsFoundation
import Testing

/// Returns the message that a program ended with.
///
/// - Parameter result: The result of an exit test that observes the standard error.
func fatalMessage(
  _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
  let result = try #require(result, sourceLocation: sourceLocation)
  let output = String(decoding: result.standardErrorContent, as: UTF8.self)
  let match = output.firstMatch(of: /(?:Fatal error|Precondition failed): ([^\n]*)/)
  return String(try #require(match, sourceLocation: sourceLocation).output.1)
}
