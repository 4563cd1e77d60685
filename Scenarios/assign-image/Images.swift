import ScenarioKit

// A server answers by address: each image that it serves in another way has one of its own.
let heartAddress = "https://www.example.com/images/heart"
let brokenAddress = "https://www.example.com/images/broken"
let truncatedAddress = "https://www.example.com/images/truncated"
let textAddress = "https://www.example.com/images/text"

// region: heart
/// A red heart on white: nine by eight pixels, each with its red, green and blue, from 0 to 1.
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

/// The media type of the heart.
private let type = "image/x-portable-pixmap"

// region: answers
let whole = StubResponse.data(heart, type: type, after: .milliseconds(120))

/// All went well, as far as the transport is concerned.
let truncated = StubResponse.data(heart.prefix(300), type: type, after: .milliseconds(120))

/// More was promised.
let broken = StubResponse.chunked(
  headers: ["Content-Type": type, "Content-Length": "\(heart.count)"],
  chunks: [StubResponse.Chunk(heart.prefix(300), after: .milliseconds(20))],
  latency: .milliseconds(100), end: .fail(.networkConnectionLost, after: .milliseconds(15)))

let text = StubResponse.text("No heart today.", after: .milliseconds(120))
// endregion

extension Image {
  /// What a view shows before there is an image: an empty frame, of the heart's size.
  static let frame = Image(
    width: 9, height: 8, maximum: 1,
    pixels: (0..<8).flatMap { y in
      (0..<9).map { x in
        let sample = x == 0 || x == 8 || y == 0 || y == 7 ? 0 : 1
        return Pixel(red: sample, green: sample, blue: sample)
      }
    })
}
