import ScenarioKit

let pageURL = URL(absolute: "https://www.example.com/page")
let imageURL = URL(absolute: "https://www.example.com/page/image")

// region: page
/// A page of 25 bytes in three chunks.
func page(type: String = "text/html") -> StubResponse {
  .chunked(
    headers: ["Content-Type": type, "Content-Length": "25"],
    chunks: [
      StubResponse.Chunk("<h1>Notes</h1>", after: .milliseconds(20)),
      StubResponse.Chunk("<p>G</p>", after: .milliseconds(30)),
      StubResponse.Chunk("...", after: .milliseconds(30)),
    ],
    latency: .milliseconds(100))
}
// endregion
