import ScenarioKit

// A server answers by address: each page that it serves in another way has one of its own.
let pageAddress = "https://www.example.com/page"
let lostAddress = "https://www.example.com/page/lost"
let missingAddress = "https://www.example.com/page/missing"
let imageAddress = "https://www.example.com/page/image"
let latinAddress = "https://www.example.com/page/latin-1"

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

/// What a server says for a page that it does not have: a page.
let missingPage = StubResponse.data(
  Data("<h1>No such page</h1>".utf8), type: "text/html", status: 404, after: .milliseconds(80))

/// A page in Latin-1: its é is one byte, which is no UTF-8.
let latinPage = StubResponse.data(
  Data("<p>Ol".utf8) + [0xE9] + Data("!</p>".utf8), type: "text/html", after: .milliseconds(80))
// endregion
