import ScenarioKit

let scenario = Scenario(
  "streaming-delegate", "Receive a page chunk by chunk, with a delegate and as a stream.")

let address = "https://www.example.com/page"
let url = URL(string: address)!

// region: page
func page(type: String = "text/html", end: Answer.End = .finish) -> Answer {
  .respond(
    headers: ["Content-Type": type, "Content-Length": "25"],
    chunks: [
      Answer.Chunk("<h1>Notes</h1>", after: .milliseconds(20)),
      Answer.Chunk("<p>G</p>", after: .milliseconds(30)),
      Answer.Chunk("...", after: .milliseconds(30)),
    ],
    latency: .milliseconds(100), end: end)
}
// endregion

// region: load
scenario.part("A page in three chunks") { world in
  world.network.stub(.get, address, answers: page())
  world.makeSession(delegate: PageLoader()).dataTask(with: url).resume()
}

scenario.part("The wrong kind of page") { world in
  world.network.stub(.get, address, answers: page(type: "image/png"))
  world.makeSession(delegate: PageLoader()).dataTask(with: url).resume()
}

scenario.part("The connection breaks after 14 bytes") { world in
  world.network.stub(
    .get, address,
    answers: .respond(
      headers: ["Content-Type": "text/html", "Content-Length": "25"],
      chunks: [Answer.Chunk("<h1>Notes</h1>", after: .milliseconds(20))],
      latency: .milliseconds(100),
      end: .fail(.networkConnectionLost, after: .milliseconds(15))))
  world.makeSession(delegate: PageLoader()).dataTask(with: url).resume()
}

scenario.part("Cancelled midway") { world in
  world.network.stub(.get, address, answers: page())
  let task = world.makeSession(delegate: PageLoader()).dataTask(with: url)
  task.resume()
  world.at(.milliseconds(150)) { task.cancel() }
}
// endregion

// region: stream
scenario.part("The same as a stream") { world in
  world.network.stub(.get, address, answers: page())
  let stream = PageStream()
  stream.chunks
    .map { $0.count }
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("chunk of \($0) bytes") }
    )
    .store(in: &world.cancellables)
  world.makeSession(delegate: stream).dataTask(with: url).resume()
}
// endregion

scenario.run()
