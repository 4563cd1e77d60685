import Foundation
import Streams
import Testing

/// The snapshots that tests of this process have expected, each with its text.
///
/// Without it, recording would keep the last of two different texts for one file.
final class SnapshotUses: Sendable {
  /// The uses of all tests.
  static let all = SnapshotUses()
  private let uses = Locked<[URL: (text: String, location: SourceLocation)]>([:])

  /// Notes a use of a snapshot.
  ///
  /// - Returns: `nil`, or the problem if another text was expected before.
  func problem(with text: String, for file: URL, at location: SourceLocation) -> String? {
    let first = uses.withLock { uses in
      let use = uses[file] ?? (text, location)
      uses[file] = use
      return use
    }
    // Byte for byte: for Swift's `==`, two encodings of `é` are equal.
    guard !first.text.utf8.elementsEqual(text.utf8) else { return nil }
    return "a different text was expected before, at \(first.location.fileID):"
      + "\(first.location.line). Give each text a name of its own with `named:`."
  }
}
