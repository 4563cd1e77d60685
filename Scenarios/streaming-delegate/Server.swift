import ScenarioKit

let pageURL = URL(absolute: "https://www.example.com/page")
let imageURL = URL(absolute: "https://www.example.com/page/image")
let brokenURL = URL(absolute: "https://www.example.com/page/broken")
let slowURL = URL(absolute: "https://www.example.com/page/slow")

// region: page
/// A page of 25 bytes in three chunks.
func page(
  type: String = "text/html", secondChunkAfter delay: VirtualTime.Interval = .milliseconds(30)
) -> StubResponse {
  .chunked(
    headers: ["Content-Type": type, "Content-Length": "25"],
    chunks: [
      StubResponse.Chunk("<h1>Notes</h1>", after: .milliseconds(20)),
      StubResponse.Chunk("<p>G</p>", after: delay),
      StubResponse.Chunk("...", after: .milliseconds(30)),
    ],
    latency: .milliseconds(100))
}
// endregion

// region: broken
/// The first chunk of the page, and then no more.
let brokenPage = StubResponse.chunked(
  headers: ["Content-Type": "text/html", "Content-Length": "25"],
  chunks: [StubResponse.Chunk("<h1>Notes</h1>", after: .milliseconds(20))],
  latency: .milliseconds(100), end: .fail(.networkConnectionLost, after: .milliseconds(15)))
// endregion
