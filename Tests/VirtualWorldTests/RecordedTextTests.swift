import Foundation
import StreamsTesting
import Testing

/// The texts of values and errors are the same in all faces of a run.
@Suite struct RecordedTextTests {
  private struct Row: Hashable {
    let tags: Set<String>
  }

  private static let tags = ["echo", "alpha", "delta", "bravo", "charlie"]
  private static let row =
    #"[VirtualWorldTests.RecordedTextTests.Row(tags: Set(["alpha", "bravo", "#
    + #""charlie", "delta", "echo"]))]"#

  @Test func everyFaceHasTheSameText() throws {
    let rows = [Row(tags: Set(Self.tags))]
    let error = NSError(domain: "app", code: 7, userInfo: ["b": 2, "a": 1, "c": 3])
    let failure = #"Error Domain=app Code=7 "(null)"UserInfo={a=1, b=2, c=3}"#
    let texts = withWorld { world in
      let stream = Just(rows).setFailureType(to: NSError.self).append(Fail(error: error))
        .print("print", to: world.console)
        .lane("lane")
        .recorded(as: "recorded", on: world.timeline)
      let recorder = world.record(stream, as: "recorder")
      world.run()
      _ = recorder.events
      return world.timeline.recording.events.map { "\($0.lane.name): \($0.kind)" }
    }
    #expect(
      texts.filter { $0.contains("value") } == [
        "console: print: receive value: (\(Self.row))", "lane: value \(Self.row)",
        "recorded: value \(Self.row)", "recorder: value \(Self.row)",
      ])
    #expect(
      texts.filter { $0.contains("Error") } == [
        "console: print: receive error: (\(failure))", "lane: failed: \(failure)",
        "recorded: failed: \(failure)", "recorder: failed: \(failure)",
      ])
  }
}
