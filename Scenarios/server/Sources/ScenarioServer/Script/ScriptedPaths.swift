import Foundation

/// What the server answers beside the API: one path, and where a query matters one query, for each
/// behaviour that a scenario wants to see, with the bytes of the scenario's stub.
///
/// A path that is named without a query answers whatever the query is. Below `/chunked` there is
/// all of it again, with bodies in chunks.
let scriptedPaths: [String: Behaviour] = [
  // How a scenario knows the server.
  "/": .answer(.json(#"{"service": "stream-scenarios"}"#)),

  // What is no server of the scenarios, for those who give a wrong URL.
  "/html/": .answer(page()),
  "/unavailable/": .answer(
    .text("come back later", status: 503, headers: ["Retry-After": "1"])),

  // decode-user, share-single-load, from-handler-to-publisher
  "/users/ada": .answer(ada),
  "/users/ada/lost-once": .inTurn([.lost, ada]),
  "/users/out-of-order": .answer(.json(#"{"reason": "out of order"}"#, status: 500)),
  "/users/nameless": .answer(.json(#"{"userID": "nameless"}"#)),
  "/users/lost": .answer(.lost),

  // retry-then-fallback
  "/quote": .answer(quote()),
  "/quote/lost": .answer(.lost),
  "/quote/lost-once": .inTurn([.lost, quote()]),
  "/mirror/quote": .answer(quote()),
  "/mirror/quote/slow": .answer(quote(after: .seconds(10))),

  // connectable-delay, receive-on-main
  "/headline": .answer(.text("Engine weaves algebra")),
  "/status": .answer(.text("all well")),

  // streaming-delegate, completion-handler
  "/page": .answer(page()),
  "/page/image": .answer(page(type: "image/png")),
  "/page/latin-1": .answer(
    .data(Data("<p>Ol".utf8) + [0xE9] + Data("!</p>".utf8), type: "text/html")),
  "/page/slow": .answer(page(pauseForSecond: .seconds(10))),
  "/page/broken": .answer(broken(page())),
  "/page/lost": .answer(.lost),
  "/page/missing": .answer(
    .data(Data("<h1>No such page</h1>".utf8), type: "text/html", status: 404)),

  // assign-image
  "/images/heart": .answer(image(heart)),
  "/images/truncated": .answer(image(heart.prefix(300))),
  "/images/broken": .answer(broken(image(heart), after: 300)),
  "/images/text": .answer(.text("No heart today.")),

  // search-as-you-type
  "/search?q=sw": .answer(
    .json(#"["sway", "swing", "swift"]"#, after: .milliseconds(1500))),
  "/search?q=swift": .answer(.json(#"["swift", "swiftly"]"#, after: .milliseconds(200))),

  // poll-and-combine
  "/sensors/thermometer?tick=1": .answer(.text("18 degrees", after: .milliseconds(100))),
  "/sensors/thermometer?tick=2": .answer(.text("19 degrees", after: .milliseconds(100))),
  "/sensors/thermometer?tick=3": .answer(.text("20 degrees", after: .milliseconds(100))),
  "/sensors/anemometer?tick=1": .answer(.text("1 m/s", after: .milliseconds(600))),
  "/sensors/anemometer?tick=2": .answer(.text("2 m/s", after: .milliseconds(600))),
  "/sensors/anemometer?tick=3": .answer(.text("3 m/s", after: .milliseconds(600))),
  "/sensors/stuck-anemometer?tick=1": .answer(.text("1 m/s", after: .milliseconds(600))),
  "/sensors/stuck-anemometer?tick=2": .answer(.text("2 m/s", after: .seconds(10))),
  "/sensors/stuck-anemometer?tick=3": .answer(.text("3 m/s", after: .seconds(10))),
]

private let ada = ScriptedAnswer.json(#"{"name": "Ada Lovelace", "userID": "ada"}"#)

private func quote(after latency: Duration = .zero) -> ScriptedAnswer {
  .text("Begin at the beginning.", after: latency)
}

/// A page of 25 bytes in three chunks, far enough apart to arrive as three.
private func page(
  type: String = "text/html", pauseForSecond: Duration = .milliseconds(300)
) -> ScriptedAnswer {
  ScriptedAnswer(
    head: .init(type: type, framing: .contentLength(25)),
    chunks: [
      .init("<h1>Notes</h1>"), .init("<p>G</p>", after: pauseForSecond),
      .init("...", after: .milliseconds(300)),
    ])
}

private func image(_ bytes: Data) -> ScriptedAnswer {
  .data(bytes, type: "image/x-portable-pixmap")
}

/// The head, which promises all, and the beginning: the first chunk, or so many bytes of it.
private func broken(_ answer: ScriptedAnswer, after count: Int = .max) -> ScriptedAnswer {
  ScriptedAnswer(
    head: answer.head,
    chunks: answer.chunks.prefix(1).map { ScriptedAnswer.Chunk($0.bytes.prefix(count)) },
    end: .reset(after: .milliseconds(300)))
}

/// A red heart on white.
private let heart = Data(
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
