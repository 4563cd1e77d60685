import Foundation
import Testing
import Timeline
import VirtualTime

@testable import weave_docs

struct TraceReaderTests {
  @Test func `every kind of event and wait can be read`() throws {
    let kinds: [Timeline.Event.Kind] = [
      .subscription, .request(.max(2)), .request(.unlimited), .value("\"\\\u{2028}\n"), .finished,
      .failure("lost"), .cancelled, .note("n"), .printed(""),
      .network(.started(method: "GET", url: "https://a")), .network(.waiting), .network(.sent),
      .network(.response(status: 200)), .network(.response(status: 404, bytes: 3)),
      .network(.chunk(bytes: 1)), .network(.finished), .network(.failed("timedOut")),
      .network(.cancelled(bytes: 4)),
    ]
    let events = kinds.enumerated().map { index, kind in
      Timeline.Event(
        number: index + 1, time: VirtualTime(nanoseconds: Int64(index)), place: 1,
        lane: Timeline.Lane("a", role: Timeline.Lane.Role.allCases[index % 6]), kind: kind,
        thread: index == 1 ? "main" : nil, cause: index == 2 ? 1 : nil,
        subscription: index == 3 ? 2 : nil,
        line: index == 4 ? Timeline.SourceLine(fileID: "a/b.swift", line: 7) : nil)
    }
    let waits = Timeline.Wait.Ending.allCases.enumerated().map { index, ending in
      Timeline.Wait(
        lane: "a", subscription: index == 0 ? 1 : nil, start: .milliseconds(1),
        end: .milliseconds(ending == .pending ? 1 : 3), ending: ending,
        cause: index == 1 ? 4 : nil)
    }
    let recording = Timeline.Recording(parts: [
      Timeline.Recording.Part(events: events, waits: waits),
      Timeline.Recording.Part(title: "Empty"),
      Timeline.Recording.Part(title: "Last", events: [events[0]]),
    ])
    #expect(try TraceReader.recording(of: recording.trace().lines, path: "t") == recording)
  }

  /// The pictures are drawn from what was read, so nothing may get lost on the way.
  @Test func `a scenario's trace, read and written again, has the same bytes`() throws {
    let root = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../..").standardized
    let disk = DiskTree(root: root)
    let paths = disk.files(below: "Tests/ScenarioTests/Snapshots", suffix: "trace.txt")
    #expect(paths.count >= 13)
    for path in paths {
      let text = try #require(disk.text(of: path))
      let recording = try TraceReader.recording(of: text.lines, path: path)
      #expect(recording.trace() == text, "\(path)")
      #expect(!recording.events.isEmpty)
    }
  }

  @Test(arguments: [
    "", "{", "{}", "[]", #"{"number":"1"}"#,
    #"{"number":1,"nanoseconds":0,"place":1,"lane":"a","role":"b","event":"finished"}"#,
    #"{"number":1,"nanoseconds":0,"place":1,"lane":"a","role":"queue","event":"end"}"#,
    #"{"number":1,"nanoseconds":0,"place":1,"lane":"a","role":"queue","event":"value"}"#,
    #"{"wait":"over","nanoseconds":0,"lane":"a","role":"queue"}"#,
    #"{"wait":"pending","nanoseconds":0,"end":0,"lane":"a","role":"queue"}"#,
    #"{"wait":"soon","nanoseconds":0,"end":0,"lane":"a","role":"queue"}"#,
  ])
  func `a line that isn't one of a trace is reported`(line: String) {
    let tree = Fixture.tree([
      "Tests/ScenarioTests/Snapshots/load-page/trace.txt": "{\"part\":\"A\"}\n\(line)\n"
    ])
    #expect(
      problems(tree) == [
        "Tests/ScenarioTests/Snapshots/load-page/trace.txt:2: this line isn't one of a trace:"
          + " record the snapshot again"
      ])
  }
}
