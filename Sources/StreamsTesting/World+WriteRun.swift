import Foundation
import Timeline
import TimelinePictures
import VirtualWorld

extension World {
  /// Writes the record of the run so far into a folder: `picture.svg`, `marbles.txt`,
  /// `transcript.txt` and `trace.txt`.
  ///
  /// ```swift
  /// try world.writeRun(to: URL(fileURLWithPath: "/tmp/search"))
  /// ```
  ///
  /// A test that fails does this by itself, below `.build/runs` in the folder of its package, and
  /// the failure names the picture. With `WORLD_RUNS=all` in the environment, all tests do.
  ///
  /// A record of more than 1,000 events has no picture and no marbles, because they'd be too large
  /// to read. This doesn't count as looking at the events of recorders.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is made if it doesn't exist.
  ///   - title: What stands above the picture.
  /// - Throws: An error if a file can't be written.
  public func writeRun(to folder: URL, title: String? = nil) throws {
    try RunFiles(timeline.recordingUnseen, title: title).write(to: folder)
  }
}

/// The files that show a run.
struct RunFiles {
  /// The names and the contents, beginning with what's best to look at first.
  let files: [(name: String, text: String)]

  /// Larger records take long to draw.
  private static let mostEventsOfPicture = 1_000

  init(_ recording: Timeline.Recording, title: String?) {
    let pictures =
      recording.events.count <= Self.mostEventsOfPicture
      ? [("picture.svg", recording.svg(title: title)), ("marbles.txt", recording.marbles())] : []
    files =
      pictures + [("transcript.txt", recording.transcript()), ("trace.txt", recording.trace())]
  }

  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .atomic)
    }
  }
}
