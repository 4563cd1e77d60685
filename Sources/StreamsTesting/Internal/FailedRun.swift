import Foundation
import Streams
import Testing
import Timeline
import VirtualWorld

/// Writes the run of a test that fails, and names the files in the first failure.
///
/// A run is written when the test fails, in case that it never ends, and again when its world has
/// ended.
final class FailedRun: Sendable {
  /// The run of the current test's innermost world.
  @TaskLocal static var current: FailedRun?

  private struct State {
    weak var world: World?
    var folder = Folder.notAsked
  }

  private enum Folder {
    case notAsked
    /// The run can't be written.
    case none
    /// It was written with this many events.
    case some(URL, count: Int)
  }

  private let location: SourceLocation
  private let state = Locked(State())

  /// The name of the test's function in Swift Testing, and what stands for it in lists.
  private let test = Test.current.map { (SnapshotName.function($0.name), $0.displayName) }

  /// The name of the type and of the test, in a test case that makes the world itself.
  private let testCase =
    Test.current == nil ? LateRequests.nameOfTest?.split(separator: ".").map(String.init) : nil

  /// How many runs were written in this process, by their paths. A test with arguments has many.
  private static let counts = Locked<[String: Int]>([:])

  /// - Returns: `nil` if the problems of the world don't fail a test.
  init?(at location: SourceLocation) {
    guard IssueReporter.current.isOfFramework,
      Test.current != nil || ProcessInfo.processInfo.runsTests
    else { return nil }
    self.location = location
  }

  /// Notes the world whose run this is.
  func begin(_ world: World) { state.withLock { $0.world = world } }

  /// Writes the run so far, if it's not written yet and there's something to see.
  ///
  /// - Returns: A line for the failure that names the first file.
  func note() -> String? {
    guard let world = state.withLock({ $0.world }),
      !world.timeline.recordingUnseen.events.isEmpty
    else { return nil }
    let isFirst = state.withLock { state in
      guard case .notAsked = state.folder else { return false }
      state.folder = .none
      return true
    }
    guard isFirst, let store, let folder = takeFolder(of: store) else { return nil }
    try? FileManager.default.removeItem(at: folder)
    return write(world, to: folder).map { "the run: \(store.path(of: $0))" }
  }

  /// Writes the whole run, if it's to be seen.
  func end() {
    if ProcessInfo.processInfo.environment["WORLD_RUNS"] == "all" { _ = note() }
    let (world, folder) = state.withLock { ($0.world, $0.folder) }
    guard let world, case .some(let folder, let count) = folder,
      world.timeline.recordingUnseen.events.count > count
    else { return }
    _ = write(world, to: folder)
  }

  /// - Returns: The first file; `nil` if it can't be written. A test fails for better reasons.
  private func write(_ world: World, to folder: URL) -> URL? {
    let recording = world.timeline.recordingUnseen
    let run = RunFiles(recording, title: title)
    do {
      try run.write(to: folder)
    } catch {
      return nil
    }
    state.withLock { $0.folder = .some(folder, count: recording.events.count) }
    return run.files.first.map { folder.appendingPathComponent($0.name) }
  }

  // MARK: Names

  private var file: String { String(location.fileName.prefix { $0 != "." }) }

  private var title: String {
    test.map { $1 ?? $0 } ?? testCase?.last ?? "\(file), line \(location.line)"
  }

  /// What knows the folder of the package.
  private var store: SnapshotStore? {
    let environment = ProcessInfo.processInfo.environment
    guard testCase != nil else {
      return try? SnapshotStore(environment: environment, testFile: location.filePath)
    }
    // A test case doesn't know its file, but tests run in the folder of their package.
    let folder = environment["SNAPSHOT_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    return try? SnapshotStore(
      environment: [:],
      testFile: "\(folder ?? FileManager.default.currentDirectoryPath)/\(file).swift")
  }

  /// A folder that no other run of this process has.
  private func takeFolder(of store: SnapshotStore) -> URL? {
    let line = "line \(location.line)"
    let names = [testCase ?? [file, test?.0 ?? line], [file, line]]
    let name = names.lazy.compactMap { names in
      names.count == 2 ? try? SnapshotName(folder: names[0], parts: [names[1]]) : nil
    }
    .first
    guard let name else { return nil }
    let module = testCase == nil ? "\(location.fileID.prefix { $0 != "/" })/" : ""
    let path = "\(module)\(name)"
    let count = Self.counts.withLock { counts in
      counts[path, default: 0] += 1
      return counts[path, default: 0]
    }
    return store.output(in: "runs").appendingPathComponent(count == 1 ? path : "\(path)-\(count)")
  }
}
