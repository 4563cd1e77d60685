import Foundation
import Testing
import Timeline
import VirtualTime

struct TraceTests {
  @Test func writesOneObjectPerLine() {
    let timeline = Timeline(now: { .milliseconds(120) }, thread: { "main" })
    timeline.beginPart("First")
    timeline.record(.value("Ada"), in: "user") {
      timeline.record(.request(.unlimited), in: .source("a"), thread: "b")
    }
    #expect(
      timeline.recording.trace() == """
        {"part":"First"}
        {"number":1,"time":"120ms","nanoseconds":120000000,"place":1,"lane":"user",\
        "role":"operator","event":"value","text":"Ada","thread":"main"}
        {"number":2,"time":"120ms","nanoseconds":120000000,"place":2,"lane":"a",\
        "role":"source","event":"request","demand":"unlimited","thread":"b","cause":1}

        """)
  }

  @Test func hasTheValuesThatAValueIsMadeOf() {
    var run = HandMadeRun()
    let first = run.add(0, "a", .value("1"))
    let second = run.add(0, "b", .value("2"))
    run.add(0, "zip", .value("12"), cause: second, from: [first, second])
    #expect(
      run.recording().trace().split(separator: "\n").last == #"""
        {"number":3,"time":"0","nanoseconds":0,"place":3,"lane":"zip","role":"operator",\#
        "event":"value","text":"12","cause":2,"from":[1,2]}
        """#)
  }

  @Test func namesEachKindOfEvent() {
    let kinds: [Timeline.Event.Kind] = [
      .subscription, .request(.max(2)), .request(.unlimited), .value("v"), .finished,
      .failure("f"), .cancelled, .note("n"), .printed("p"),
      .network(.started(method: "GET", url: "https://a.example")), .network(.waiting),
      .network(.sent), .network(.response(status: 200)), .network(.response(status: 404, bytes: 9)),
      .network(.chunk(bytes: 3)), .network(.finished), .network(.failed("f")),
      .network(.cancelled(bytes: 4)),
    ]
    let lines = recording(kinds.map { (0, .queue("q"), $0) }).trace().split(separator: "\n")
    let events = lines.map { $0.split(separator: "\"role\":\"queue\",").last ?? "" }
    #expect(
      events == [
        #""event":"subscription"}"#,
        #""event":"request","demand":2}"#,
        #""event":"request","demand":"unlimited"}"#,
        #""event":"value","text":"v"}"#,
        #""event":"finished"}"#,
        #""event":"failure","text":"f"}"#,
        #""event":"cancelled"}"#,
        #""event":"note","text":"n"}"#,
        #""event":"printed","text":"p"}"#,
        #""event":"request-started","method":"GET","url":"https://a.example"}"#,
        #""event":"request-waiting"}"#,
        #""event":"request-sent"}"#,
        #""event":"response","status":200}"#,
        #""event":"response","status":404,"bytes":9}"#,
        #""event":"chunk","bytes":3}"#,
        #""event":"request-finished"}"#,
        #""event":"request-failed","text":"f"}"#,
        #""event":"request-cancelled","bytes":4}"#,
      ])
  }

  @Test(arguments: [
    "", "\"quoted\"", "back\\slash", "\n\r\t", "\0\u{1}\u{1F}\u{7F}\u{85}\u{9F}",
    "\u{2028}\u{2029}", "é e\u{301} 🧑‍🚀 漢字", "\u{301}", "/</script>",
  ])
  func escapesTexts(text: String) throws {
    let trace = recording((0, .source(text), .value(text))).trace()
    let lines = trace.split(whereSeparator: \.isNewline)
    #expect(lines.count == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(trace.utf8)) as? [String: Any])
    #expect((object["text"] as? String).map { Array($0.utf8) } == Array(text.utf8))
    #expect((object["lane"] as? String).map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func isEmptyWithoutEvents() {
    #expect(Timeline.Recording().trace() == "")
  }
}
