import Testing

@testable import Timeline

struct SentencesTests {
  @Test(
    arguments: [
      (.subscription, "load gets a subscriber."),
      (.request(.unlimited), "load is asked for values without limit."),
      (.request(.max(1)), "load is asked for 1 value."),
      (.request(.max(3)), "load is asked for 3 values."),
      (.value("Ada"), "load delivers “Ada”."),
      (.finished, "load finishes."),
      (.failure("badStatus(503)"), "load fails: badStatus(503)."),
      (.cancelled, "load is cancelled."),
      (.note("two\nlines"), #"load notes: two\nlines"#),
      (.printed("user: Ada"), "load prints: user: Ada"),
      (
        .network(.started(method: "GET", url: "https://a.example")),
        "load is made: GET https://a.example"
      ),
      (.network(.waiting), "load waits for connectivity."),
      (.network(.sent), "load is sent."),
      (.network(.response(status: 200, bytes: 44)), "load gets 200 OK, 44 bytes."),
      (.network(.chunk(bytes: 1)), "load gets 1 byte."),
      (.network(.finished), "load finishes."),
      (.network(.failed("timedOut")), "load fails: timedOut."),
      (.network(.cancelled(bytes: 0)), "load is cancelled."),
      (.network(.cancelled(bytes: 7)), "load is cancelled after 7 bytes."),
    ] as [(Timeline.Event.Kind, String)])
  func saysEachKindOfEvent(kind: Timeline.Event.Kind, sentence: String) {
    #expect(recording((0, "load", kind)).sentences(ofPart: 0) == [sentence])
  }

  @Test func callsALifeByTheNameOfItsRow() {
    let sentences = loadTwiceRun.sentences(ofPart: 0)
    #expect(sentences[0] == "load 1 gets a subscriber.")
    #expect(sentences[4] == "load 2 gets a subscriber.")
    #expect(sentences[5] == "status gets a subscriber.")
  }

  @Test func keepsTheOrderOfEventsThatAreNotInOrderOfTime() {
    let events = [(1, 5), (2, 0)].map { number, time in
      Timeline.Event(
        number: number, time: .milliseconds(time), place: 1, lane: "a", kind: .value("\(number)"))
    }
    let run = Timeline.Recording(parts: [.init(events: events)])
    #expect(run.sentences(ofPart: 0) == ["a delivers “1”.", "a delivers “2”."])
  }
}
