import Foundation
import StreamsTesting
import Testing

/// Fails at the line of its caller.
func expectNothing(
  _ message: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) {
  reportIssue(
    message,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

func onAThread(_ body: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    isDone.signal()
  }
  isDone.wait()
}
