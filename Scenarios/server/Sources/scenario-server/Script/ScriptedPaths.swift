import Foundation

/// The paths that the server has in addition to the API: one for each behaviour that a scenario
/// needs, and one per query where the query matters. The bytes are those of the scenario's stub.
///
/// A path without a query matches any query. All paths exist a second time below `/chunked`, with
/// bodies in chunks.
let scriptedPaths: [String: Behaviour] = [
  // Tells a scenario that this is the right server.
  "/": .response(.json(#"{"service": "stream-scenarios"}"#)),

  // decode-user, share-single-load, from-handler-to-publisher
  "/users/ada": .response(ada()),
  "/users/ada/slow": .response(ada(after: .seconds(10))),
  "/users/ada/lost-once": .inTurn([.lost, ada()]),
  "/users/out-of-order": .response(.json(#"{"reason": "out of order"}"#, status: 500)),
  "/users/nameless": .response(.json(#"{"userID": "nameless"}"#)),
  "/users/lost": .response(.lost),

  // retry-then-fallback
  "/quote": .response(quote()),
  "/quote/lost": .response(.lost),
  "/quote/lost-once": .inTurn([.lost, quote()]),
  "/mirror/quote": .response(quote()),
  "/mirror/quote/slow": .response(quote(after: .seconds(10))),

  // connectable-delay, receive-on-main
  "/headline": .response(.text("Engine weaves algebra")),
  "/status": .response(.text("all well")),

  // streaming-delegate, completion-handler
  "/page": .response(page()),
  // Its receiver cancels it after the head, and must not come too late.
  "/page/image": .response(page(type: "image/png", pauseForSecond: .seconds(3))),
  "/page/latin-1": .response(
    .data(Data("<p>Ol".utf8) + [0xE9] + Data("!</p>".utf8), type: "text/html")),
  // For tests of the server.
  "/page/slow": .response(page(pauseForSecond: .seconds(10))),
  "/page/lost": .response(.lost),
  "/page/missing": .response(
    .data(Data("<h1>No such page</h1>".utf8), type: "text/html", status: 404)),

  // assign-image
  "/images/heart": .response(image(heart)),
  "/images/truncated": .response(image(heart.prefix(60))),
  "/images/broken": .response(broken(image(heart), after: 60)),
  "/images/text": .response(.text("No heart today.")),

  // search-as-you-type
  "/search?q=sw": .response(
    .json(#"["sway", "swing", "swift"]"#, after: .milliseconds(1500))),
  "/search?q=swift": .response(.json(#"["swift", "swiftly"]"#, after: .milliseconds(200))),

  // poll-and-combine
  "/sensors/thermometer?tick=1": .response(.text("18 degrees", after: .milliseconds(100))),
  "/sensors/thermometer?tick=2": .response(.text("19 degrees", after: .milliseconds(100))),
  "/sensors/thermometer?tick=3": .response(.text("20 degrees", after: .milliseconds(100))),
  "/sensors/anemometer?tick=1": .response(.text("1 m/s", after: .milliseconds(600))),
  "/sensors/anemometer?tick=2": .response(.text("2 m/s", after: .milliseconds(600))),
  "/sensors/anemometer?tick=3": .response(.text("3 m/s", after: .milliseconds(600))),
  "/sensors/stuck-anemometer?tick=1": .response(.text("1 m/s", after: .milliseconds(600))),
  "/sensors/stuck-anemometer?tick=2": .response(.text("2 m/s", after: .seconds(10))),
  "/sensors/stuck-anemometer?tick=3": .response(.text("3 m/s", after: .seconds(10))),
]

private func ada(after latency: Duration = .zero) -> ScriptedResponse {
  .json(#"{"name": "Ada Lovelace", "userID": "ada"}"#, after: latency)
}

private func quote(after latency: Duration = .zero) -> ScriptedResponse {
  .text("Begin at the beginning.", after: latency)
}

/// A page of 25 bytes in three chunks, with pauses long enough that they arrive as three.
private func page(
  type: String = "text/html", pauseForSecond: Duration = .milliseconds(300)
) -> ScriptedResponse {
  ScriptedResponse(
    head: .init(type: type, length: 25),
    chunks: [
      .init("<h1>Notes</h1>"), .init("<p>G</p>", after: pauseForSecond),
      .init("...", after: .milliseconds(300)),
    ])
}

private func image(_ bytes: Data) -> ScriptedResponse {
  .data(bytes, type: "image/png")
}

/// The whole head, but only the first `count` bytes of the body's first chunk. Then the connection
/// breaks.
private func broken(_ response: ScriptedResponse, after count: Int) -> ScriptedResponse {
  ScriptedResponse(
    head: response.head,
    chunks: response.chunks.prefix(1).map { ScriptedResponse.Chunk($0.bytes.prefix(count)) },
    end: .reset(after: .milliseconds(300)))
}

/// A red heart on white.
private let heart =
  Data(
    base64Encoded: """
      iVBORw0KGgoAAAANSUhEUgAAAAkAAAAIAQMAAAARA0f2AAAABlBMVEX/////AADrWueTAAAAHElE
      QVR42mNIZmD43sDwH4zqGRjsGBhkGBg4GABbKwW6BrAOmgAAAABJRU5ErkJggg==
      """, options: .ignoreUnknownCharacters) ?? Data()
