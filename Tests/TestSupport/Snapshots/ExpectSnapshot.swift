import Foundation
import StreamsTesting
import Testing

/// Expects that a text equals its reference, `Tests/<Target>/Snapshots/<id>/<kind>.txt`.
///
/// - Parameters:
///   - text: The text.
///   - id: The scenario's id.
///   - kind: The kind of text.
package func expectSnapshot(
  _ text: String, id: String, kind: SnapshotKind, fileID: String = #fileID,
  filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  expectSnapshot(
    of: text, in: id, named: kind.rawValue, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Expects that the folder `Snapshots` next to the test file contains exactly the declared files.
///
/// - Parameter catalogue: Each id with the kinds it has.
package func expectSnapshotFiles(
  of catalogue: [(id: String, kinds: [SnapshotKind])],
  filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  do throws(SnapshotSetupError) {
    let store = try SnapshotStore(
      environment: ProcessInfo.processInfo.environment, testFile: filePath)
    if let message = try store.failure(ofCatalogue: catalogue) {
      reportIssue(message, at: sourceLocation)
    }
  } catch {
    reportIssue(error.description, at: sourceLocation)
  }
}
