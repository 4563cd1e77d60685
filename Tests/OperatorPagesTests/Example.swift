import Foundation
import StreamsTesting
import Testing

/// Runs the example of an operator's page in a virtual world, and compares the record of the run
/// with two snapshots.
///
/// ```swift
/// // In Examples/Timing/DebounceExample.swift:
/// @Test(.example) func `A pause lets the latest value through`() throws {
///   let world = try World.current
///   // …
/// }
/// // Compares with Snapshots/debounce/a-pause-lets-the-latest-value-through.txt, a marble diagram,
/// // and with a-pause-lets-the-latest-value-through.trace.txt, which the picture is drawn from.
/// ```
///
/// When the function returns, the world runs until nothing is left to do. Then all of it happens
/// once more while everything is recorded, which mustn't change anything.
struct ExampleTrait: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let location = test.sourceLocation
    var first = Timeline.Recording()
    try await withWorld(
      fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column
    ) { world in
      let player = ExamplePlayer(of: world)
      try await function()
      world.run()
      let title = test.displayName ?? test.name
      let run = world.timeline.recording
      let part = Timeline.Recording.Part(title: title, events: run.events, waits: run.waits)
      let recording = Timeline.Recording(parts: [part])
      let page = location.fileName.replacing("Example.swift", with: "")
      for (text, kind) in [(recording.marbles(), ""), (recording.trace(), ".trace")] {
        expectSnapshot(
          of: text, in: page, named: title + kind, fileID: location.fileID, line: location.line,
          column: location.column)
      }
      try player?.write(
        page: page, part, filePath: location.filePath,
        Timeline.SourceLine(fileID: location.fileID, line: location.line))
      first = run
    }
    try await withWorld(
      fileID: location.fileID, filePath: location.filePath, line: location.line,
      column: location.column
    ) { world in
      world.recordEverything()
      try await function()
      world.run()
      let own = world.timeline.recording.filter { !world.timeline.isAutomatic($0.lane) }
      #expect(
        own.transcript() == first.transcript(), "the lanes of everything change what arrives",
        sourceLocation: location)
    }
  }
}

extension Trait where Self == ExampleTrait {
  /// Runs the test as the example of an operator's page.
  static var example: Self { ExampleTrait() }
}
