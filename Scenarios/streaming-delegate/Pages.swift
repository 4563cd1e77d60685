import ScenarioKit

// A server answers by address: each page that it serves in another way has one of its own.
let pageAddress = "https://www.example.com/page"
let imageAddress = "https://www.example.com/page/image"
let brokenAddress = "https://www.example.com/page/broken"
let slowAddress = "https://www.example.com/page/slow"

// region: page
/// A page of 25 bytes in three chunks.
func page(
  type: String = "text/html", pause: VirtualTime.Interval = .milliseconds(30)
) -> StubResponse {
  .chunked(
    headers: ["Content-Type": type, "Content-Length": "25"],
    chunks: [
      StubResponse.Chunk("<h1>Notes</h1>", after: .milliseconds(20)),
      StubResponse.Chunk("<p>G</p>", after: pause),
      StubResponse.Chunk("...", after: .milliseconds(30)),
    ],
    latency: .milliseconds(100))
}

/// The first of its chunks, and then no more.
let brokenPage = StubResponse.chunked(
  headers: ["Content-Type": "text/html", "Content-Length": "25"],
  chunks: [StubResponse.Chunk("<h1>Notes</h1>", after: .milliseconds(20))],
  latency: .milliseconds(100), end: .fail(.networkConnectionLost, after: .milliseconds(15)))
// endregion
