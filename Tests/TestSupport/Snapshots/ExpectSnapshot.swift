import Foundation
import Streams
import Testing

/// Expects that a text equals its reference, `Tests/<Target>/Snapshots/<id>/<kind>.txt`.
///
/// By default, nothing is recorded. `SNAPSHOT_RECORD` says which references may be written, and a
/// run that writes one fails. A text that differs is written to `.build/snapshots/<id>/<kind>.txt`.
///
/// - Parameters:
///   - text: UTF-8 that ends in exactly one newline.
///   - id: The scenario's id, with only a-z, 0-9 and -.
///   - kind: The kind of text. A test may expect each kind of an id once.
package func expectSnapshot(
  _ text: String, id: String, kind: SnapshotKind,
  filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let failure = snapshotFailure(
    of: text, id: id, kind: kind, filePath: filePath, sourceLocation: sourceLocation)
  if let failure { Issue.record("\(failure)", sourceLocation: sourceLocation) }
}

/// Returns the failure that ``expectSnapshot(_:id:kind:filePath:sourceLocation:)`` records, or `nil`
/// if the text equals its reference. So tests can look at failures without any.
package func snapshotFailure(
  of text: String, id: String, kind: SnapshotKind,
  filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) -> String? {
  let expectation = SnapshotExpectation(
    test: Test.current?.id, id: id, kind: kind)
  let first = expectations.withLock { expectations in
    let use = expectations[expectation] ?? (sourceLocation, text)
    expectations[expectation] = use
    return use
  }
  guard first == (sourceLocation, text) else {
    return
      "Snapshot \(id), \(kind.rawValue): already expected by this test, line \(first.0.line)."
  }
  return failure(in: filePath) { $0.failure(of: text, id: id, kind: kind) }
}

/// Expects that the target's folder `Snapshots` contains exactly the declared files.
///
/// - Parameter catalogue: Each id with the kinds it has.
package func expectSnapshotFiles(
  of catalogue: [(id: String, kinds: [SnapshotKind])],
  filePath: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let failure = failure(in: filePath) { $0.failure(ofCatalogue: catalogue) }
  if let failure { Issue.record("\(failure)", sourceLocation: sourceLocation) }
}

/// The package's folder, and the test target that a source file belongs to.
///
/// - Parameter supportFile: A file of this target, three levels below the package's folder.
/// - Returns: `nil` if the source isn't below the same `Tests`.
package func snapshotOwner(of filePath: String, supportFile: String = thisFile) -> (URL, String)? {
  let support = supportFile.split(separator: "/", omittingEmptySubsequences: false)
  let file = filePath.split(separator: "/", omittingEmptySubsequences: false)
  // <root>/Tests/TestSupport/Snapshots/<support file>
  let tests = support.dropLast(3)
  guard file.count > tests.count + 1, file.starts(with: tests) else { return nil }
  let root = URL(fileURLWithPath: tests.dropLast().joined(separator: "/"), isDirectory: true)
  return (root, String(file[tests.count]))
}

/// This file. As a constant, because `#filePath` in a default argument is the caller's file.
package let thisFile = #filePath

private struct SnapshotExpectation: Hashable {
  let test: Test.ID?
  let id: String
  let kind: SnapshotKind
}

/// The place and the text of each expectation's first call. The same call again isn't an error,
/// because a test may run more than once in a process.
private let expectations = Locked<[SnapshotExpectation: (SourceLocation, String)]>([:])

private func failure(
  in filePath: String, _ failure: (SnapshotStore) -> String?
) -> String? {
  guard let (root, target) = snapshotOwner(of: filePath) else {
    return "\(filePath) isn't in the Tests folder of this package."
  }
  do {
    let environment = ProcessInfo.processInfo.environment
    return failure(try SnapshotStore(environment: environment, root: root, target: target))
  } catch {
    return error.description
  }
}
