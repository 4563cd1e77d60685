import Streams
import Timeline
import VirtualTime

/// A recording made by hand; the lines read `time, lane, kind`.
func recording(
  _ events: (Int, Timeline.Lane, Timeline.Event.Kind)...
) -> Timeline.Recording {
  recording(events)
}

/// A recording made by hand; times are in milliseconds.
func recording(
  _ events: [(Int, Timeline.Lane, Timeline.Event.Kind)]
) -> Timeline.Recording {
  let clock = VirtualTimeScheduler()
  let timeline = Timeline(clock: clock)
  for (time, lane, kind) in events {
    clock.advance(to: .milliseconds(time))
    timeline.record(kind, in: lane)
  }
  return timeline.recording
}

/// A search that is cancelled by the next one, with all that can happen to a request.
let sampleRun = recording(
  (0, .source("typing"), .subscription),
  (0, "debounce", .subscription),
  (0, .source("typing"), .request(.unlimited)),
  (100, .source("typing"), .value("s")),
  (200, .source("typing"), .value("sw")),
  (500, "debounce", .value("sw")),
  (500, .request("request 1"), .network(.started(method: "GET", url: "https://a.example/?q=sw"))),
  (620, .request("request 1"), .network(.response(status: 200))),
  (620, .request("request 1"), .network(.chunk(bytes: 20))),
  (700, .source("typing"), .value("swi")),
  (1000, "debounce", .value("swi")),
  (1000, .request("request 1"), .network(.cancelled(bytes: 20))),
  (1000, .request("request 2"), .network(.started(method: "GET", url: "https://a.example/?q=swi"))),
  (1200, .request("request 2"), .network(.response(status: 503, bytes: 1))),
  (1200, .request("request 2"), .network(.finished)),
  (1200, .subscriber("results"), .failure("badStatus(503)")),
  (1200, .console, .printed("no results")),
  (1500, .request("request 3"), .network(.started(method: "GET", url: "https://a.example/?q=x"))),
  (1500, .request("request 3"), .network(.waiting)),
  (1550, .request("request 3"), .network(.sent)),
  (1600, .request("request 3"), .network(.failed("timedOut"))),
  (1600, .console, .note("giving up")),
  (2000, .source("typing"), .finished))
