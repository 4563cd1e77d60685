import Streams
import StreamsTesting
import Testing

/// Runs a closure, and returns the issues that it reports instead of failing the test.
func issues(in body: () throws -> Void) rethrows -> [String] {
  try reports(in: body).map(\.message)
}

/// Runs a closure, and returns the lines in this file's test that it reports issues at.
func issueLines(in body: () -> Void) -> [Int] {
  reports(in: body).map(\.line)
}

private func reports(in body: () throws -> Void) rethrows -> [(message: String, line: Int)] {
  let reports = Locked<[(message: String, line: Int)]>([])
  let reporter = IssueReporter { message, location in
    reports.withLock { $0.append((message, location.line)) }
  }
  try IssueReporter.$current.withValue(reporter, operation: body)
  return reports.withLock { $0 }
}
