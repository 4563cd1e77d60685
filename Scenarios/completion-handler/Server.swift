import ScenarioKit

// One URL for each way in which the server responds.
let pageURL = URL(absolute: "https://www.example.com/page")
let lostURL = URL(absolute: "https://www.example.com/page/lost")
let missingURL = URL(absolute: "https://www.example.com/page/missing")
let latin1URL = URL(absolute: "https://www.example.com/page/latin-1")

// region: page
let page = StubResponse.chunked(
  headers: ["Content-Type": "text/html", "Content-Length": "25"],
  chunks: [
    StubResponse.Chunk("<h1>Notes</h1>", after: .milliseconds(20)),
    StubResponse.Chunk("<p>G</p>", after: .milliseconds(30)),
    StubResponse.Chunk("...", after: .milliseconds(30)),
  ],
  latency: .milliseconds(100))
// endregion

// region: missing
let missingPage = StubResponse.data(
  Data("<h1>No such page</h1>".utf8), type: "text/html", status: 404, after: .milliseconds(80))
// endregion

// region: latin-1
/// A page in Latin-1, where é is the single byte E9.
let latin1Page = StubResponse.data(
  Data("<p>Ol".utf8) + [0xE9] + Data("!</p>".utf8), type: "text/html", after: .milliseconds(80))
// endregion
