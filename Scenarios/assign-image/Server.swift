import ScenarioKit

// One URL for each way in which the server responds.
let heartURL = URL(absolute: "https://www.example.com/images/heart")
let brokenURL = URL(absolute: "https://www.example.com/images/broken")
let truncatedURL = URL(absolute: "https://www.example.com/images/truncated")
let textURL = URL(absolute: "https://www.example.com/images/text")

/// A red heart on white, 9 pixels wide and 8 high: a PNG file of 103 bytes.
let heart =
  Data(
    base64Encoded: """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAIAQMAAAARA0f2AAAABlBMVEX/////AADrWueTAAAAHElE
      QVR42mNIZmD43sDwH4zqGRjsGBhkGBg4GABbKwW6BrAOmgAAAABJRU5ErkJggg==
      """, options: .ignoreUnknownCharacters) ?? Data()

private let type = "image/png"

// region: heart-response
let heartResponse = StubResponse.data(heart, type: type, after: .milliseconds(120))
// endregion

// region: other-responses
/// Promises the whole file. The connection breaks after 60 bytes.
let brokenResponse = StubResponse.chunked(
  headers: ["Content-Type": type, "Content-Length": "\(heart.count)"],
  chunks: [StubResponse.Chunk(heart.prefix(60), after: .milliseconds(20))],
  latency: .milliseconds(100), end: .fail(.networkConnectionLost, after: .milliseconds(15)))

/// A complete response that holds the first 60 bytes of the file.
let truncatedResponse = StubResponse.data(heart.prefix(60), type: type, after: .milliseconds(120))

let textResponse = StubResponse.text("No heart today.", after: .milliseconds(120))
// endregion
