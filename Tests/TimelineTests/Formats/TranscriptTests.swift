import Streams
import Testing
import Timeline
import VirtualTime

struct TranscriptTests {
  @Test func readsLikeTheExampleOfTheDocumentation() {
    let clock = VirtualTimeScheduler()
    let timeline = Timeline(clock: clock)
    let letters = PassthroughSubject<String, Never>()
    let subscription = letters.recorded(as: .source("letters"), on: timeline).sink { _ in }
    clock.schedule(after: .milliseconds(300)) { letters.send("a") }
    clock.run()
    #expect(
      timeline.recording.transcript() == """
          0ms  letters  subscribed
          0ms  letters  request unlimited
        300ms  letters  value a

        """)
    subscription.cancel()
  }

  @Test func alignsTimesAndLanes() {
    #expect(
      sampleRun.transcript() == """
           0ms  typing     subscribed
           0ms  debounce   subscribed
           0ms  typing     request unlimited
         100ms  typing     value s
         200ms  typing     value sw
         500ms  debounce   value sw
         500ms  request 1  GET https://a.example/?q=sw
         620ms  request 1  200 OK
         620ms  request 1  20 bytes
         700ms  typing     value swi
        1000ms  debounce   value swi
        1000ms  request 1  cancelled after 20 bytes
        1000ms  request 2  GET https://a.example/?q=swi
        1200ms  request 2  503 Service Unavailable, 1 byte
        1200ms  request 2  finished
        1200ms  results    failed: badStatus(503)
        1200ms  console    no results
        1500ms  request 3  GET https://a.example/?q=x
        1500ms  request 3  waits for connectivity
        1550ms  request 3  sent
        1600ms  request 3  failed: timedOut
        1600ms  console    giving up
        2000ms  typing     finished

        """)
  }

  @Test func showsThreadsAndParts() {
    let timeline = Timeline(now: { .microseconds(1500) })
    timeline.beginPart("Without share()")
    timeline.record(.request(.max(3)), in: "a", thread: "main")
    timeline.record(.cancelled, in: "longer")
    timeline.beginPart("With share()")
    timeline.beginPart("Nothing")
    timeline.record(.network(.response(status: 299)), in: "a", thread: "queue 1")
    #expect(
      timeline.recording.transcript() == """
        # Without share()
        1500us  a       request 3  [main]
        1500us  longer  cancelled

        # With share()

        # Nothing
        1500us  a       299  [queue 1]

        """)
  }

  @Test func keepsOneEventOnOneLine() {
    let run = recording(
      (0, "ä\u{301} 🧑‍🚀", .value("two\nlines\t\u{202E}\\")), (5, .console, .printed("")))
    #expect(
      run.transcript() == """
        0ms  ä\u{301} 🧑‍🚀      value two\\nlines\\t\\u{202e}\\
        5ms  console

        """)
  }

  @Test func saysThatThereIsNothing() {
    #expect(Timeline.Recording().transcript() == "No events.\n")
    #expect(recording((0, "a", .finished)).filter { _ in false }.transcript() == "No events.\n")
  }
}
