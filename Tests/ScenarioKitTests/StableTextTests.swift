import Foundation
import Testing

@testable import ScenarioKit

@Suite struct StableTextTests {
  struct Point: Decodable {
    struct Unit: Decodable { let name: String }
    let x: Int
    let units: [Unit]
  }

  @Test func describesValuesTheSameInEveryRun() throws {
    let url = try #require(URL(string: "https://example.com"))
    let response = HTTPURLResponse(
      url: url, statusCode: 404, httpVersion: nil, headerFields: ["Content-Type": "text/html"])
    let bare = HTTPURLResponse(url: url, statusCode: 204, httpVersion: nil, headerFields: nil)
    #expect(stableText(try #require(response)) == "404 text/html")
    #expect(stableText(try #require(bare)) == "204")
    #expect(stableText(Data([1])) == "1 byte")
    #expect(stableText(Data()) == "0 bytes")
    #expect(stableText(URLError(.timedOut)) == "URLError.timedOut")
    #expect(stableText(URLError(.cancelled, userInfo: ["a": 1, "b": 2])) == "URLError.cancelled")
    #expect(stableText("text") == "text")
    #expect(stableText(7) == "7")
  }

  @Test func describesACompletion() {
    #expect(stableText(Subscribers.Completion<Never>.finished) == "finished")
    #expect(
      stableText(Subscribers.Completion<any Error>.failure(URLError(.badURL)))
        == "failure(URLError.badURL)")
  }

  @Test(arguments: [
    (#"{"units": []}"#, #"DecodingError: no "x""#),
    (#"{"x": "1", "units": []}"#, "DecodingError: no Int at x"),
    (#"{"x": null, "units": []}"#, "DecodingError: no value of type Int at x"),
    (#"{"x": 1, "units": [{}]}"#, #"DecodingError: no "name" at units.Index 0"#),
    ("<html>", "DecodingError: not JSON"),
  ])
  func describesADecodingError(json: String, text: String) {
    do {
      _ = try JSONDecoder().decode(Point.self, from: Data(json.utf8))
      Issue.record("decoded")
    } catch {
      #expect(stableText(error) == text)
    }
  }

  @Test func aConsoleRecordsWholeLines() {
    let timeline = Timeline(now: { .zero })
    var console = Console(timeline: timeline)
    console.write("one\ntw")
    #expect(timeline.recording.events.map(\.kind) == [.printed("one")])
    console.write("o")
    console.write("\n\n")
    #expect(
      timeline.recording.events.map(\.kind) == [.printed("one"), .printed("two"), .printed("")])
  }
}
