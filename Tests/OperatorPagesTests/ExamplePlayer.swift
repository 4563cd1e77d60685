import Foundation
import StreamsTesting

@testable import ScenarioKit

/// Writes the run of an example as a stage, a page to step through it. The site links these pages.
///
/// The tests write them if `EXAMPLE_PLAYERS` names a folder. `make site` does that, so a stage
/// shows the run that the tests hold.
struct ExamplePlayer {
  private let folder: URL
  private let log = WaitingLog()
  private let following: any Cancellable & Sendable

  /// Follows the run of a world from now on; `nil` if no pages are wanted.
  init?(of world: VirtualWorld.World) {
    guard let folder = ProcessInfo.processInfo.environment["EXAMPLE_PLAYERS"] else { return nil }
    self.folder = URL(fileURLWithPath: folder)
    following = log.follow(world.timeline, on: world.clock)
  }

  /// Writes the page into the folder.
  ///
  /// - Parameters:
  ///   - page: The name of the operator's page.
  ///   - part: The run, whose title names the file as it names the snapshot.
  ///   - filePath: The file of the example.
  ///   - line: The line that the example begins in.
  func write(
    page: String, _ part: Timeline.Recording.Part, filePath: String, _ line: Timeline.SourceLine
  ) throws {
    defer { following.cancel() }
    let title = part.title ?? page
    let name = try SnapshotName(folder: page, parts: [title]).description
    let file = folder.appendingPathComponent("\(name).html")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let scenario = Scenario(
      String(name.prefix { $0 != "/" }), title, filePath: filePath, fileID: line.fileID)
    let table = StageTable.record(part, log.moments, line: line, of: scenario)
    try OutputFile(path: file.path).write(try StagePage(title: scenario.name, table).html())
  }
}
