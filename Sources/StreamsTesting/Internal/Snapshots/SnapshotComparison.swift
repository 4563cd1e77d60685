import Foundation
import Testing

/// The comparison of a text with its snapshot.
struct SnapshotComparison {
  /// What fails the test; `nil` if nothing does.
  let problem: String?
  let location: SourceLocation

  /// The recorded text, if it's another one.
  let recorded: Data?

  /// Fails the test if the texts differ.
  ///
  /// - Parameter reason: Why they do, if that's known.
  func report(_ reason: String? = nil) {
    guard let problem else { return }
    reportIssue(problem + (reason.map { "\n\($0)" } ?? ""), at: location)
  }
}

extension SnapshotComparison {
  /// Compares a text with the snapshot that's named after the current test.
  init(
    of text: String, named name: String?, function: String, at location: SourceLocation
  ) {
    if name == nil, Test.Case.current?.isParameterized == true {
      let problem =
        "A test with arguments needs a snapshot for each of them. Pass a name, such as "
        + #"`named: "\(argument)"`."#
      self.init(problem: problem, location: location, recorded: nil)
      return
    }
    let test = Test.current?.name ?? function
    let file = URL(fileURLWithPath: location.filePath).deletingPathExtension().lastPathComponent
    self.init(of: text, in: file, named: [SnapshotName.function(test), name], at: location)
  }

  /// Compares a text with the snapshot in a folder.
  init(
    of text: String, in folder: String, named parts: [String?], at location: SourceLocation
  ) {
    self.location = location
    do throws(SnapshotSetupError) {
      let name = try SnapshotName(folder: folder, parts: parts.compactMap(\.self))
      let store = try SnapshotStore(
        environment: ProcessInfo.processInfo.environment, testFile: location.filePath)
      let file = store.reference(of: name)
      let misuse = SnapshotUses.all.problem(with: text, for: file, at: location)
      problem = misuse.map { "Snapshot \(name): \($0)" } ?? store.failure(of: text, name)
      // If the text has just been written, it's the same.
      let data = misuse == nil ? try? Data(contentsOf: file) : nil
      recorded = data == Data(text.utf8) ? nil : data
    } catch {
      (problem, recorded) = (error.description, nil)
    }
  }
}
