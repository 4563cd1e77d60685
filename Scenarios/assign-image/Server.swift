import ScenarioKit

// One URL for each way in which the server responds.
let heartURL = URL(absolute: "https://www.example.com/images/heart")
let brokenURL = URL(absolute: "https://www.example.com/images/broken")
let truncatedURL = URL(absolute: "https://www.example.com/images/truncated")
let textURL = URL(absolute: "https://www.example.com/images/text")

// region: heart
/// A red heart on white: 9 by 8 pixels, each with its red, green and blue as 0 or 1.
let heart = Data(
  """
  P3
  9 8
  1
  1 1 1  1 0 0  1 0 0  1 1 1  1 1 1  1 1 1  1 0 0  1 0 0  1 1 1
  1 0 0  1 0 0  1 0 0  1 0 0  1 1 1  1 0 0  1 0 0  1 0 0  1 0 0
  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0
  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0
  1 1 1  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 1 1
  1 1 1  1 1 1  1 0 0  1 0 0  1 0 0  1 0 0  1 0 0  1 1 1  1 1 1
  1 1 1  1 1 1  1 1 1  1 0 0  1 0 0  1 0 0  1 1 1  1 1 1  1 1 1
  1 1 1  1 1 1  1 1 1  1 1 1  1 0 0  1 1 1  1 1 1  1 1 1  1 1 1

  """.utf8)
// endregion

private let type = "image/x-portable-pixmap"

// region: heart-response
let heartResponse = StubResponse.data(heart, type: type, after: .milliseconds(120))
// endregion

// region: other-responses
/// Promises the whole file. The connection breaks after 300 bytes.
let brokenResponse = StubResponse.chunked(
  headers: ["Content-Type": type, "Content-Length": "\(heart.count)"],
  chunks: [StubResponse.Chunk(heart.prefix(300), after: .milliseconds(20))],
  latency: .milliseconds(100), end: .fail(.networkConnectionLost, after: .milliseconds(15)))

/// A complete response that holds the first 300 bytes of the file.
let truncatedResponse = StubResponse.data(heart.prefix(300), type: type, after: .milliseconds(120))

let textResponse = StubResponse.text("No heart today.", after: .milliseconds(120))
// endregion
