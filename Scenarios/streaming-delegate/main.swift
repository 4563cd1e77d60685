import ScenarioKit

let scenario = Scenario(
  "streaming-delegate", "Receive a page chunk by chunk, with a delegate and as a stream.")

// region: load
@discardableResult
func load(_ address: String, in world: World) -> URLSessionDataTask {
  let task = world.makeSession(delegate: PageLoader()).dataTask(with: world.url(address))
  task.resume()
  return task
}

scenario.part("A page in three chunks") { world in
  world.network.stub(.get, pageAddress, responses: page())
  load(pageAddress, in: world)
}

scenario.part("The wrong kind of page") { world in
  world.network.stub(.get, imageAddress, responses: page(type: "image/png"))
  load(imageAddress, in: world)
}

scenario.part("The connection breaks after 14 bytes") { world in
  world.network.stub(.get, brokenAddress, responses: brokenPage)
  load(brokenAddress, in: world)
}

scenario.part("Cancelled midway") { world in
  world.network.stub(.get, slowAddress, responses: page(pause: .seconds(10)))
  let task = load(slowAddress, in: world)
  world.at(.seconds(1)) { task.cancel() }
}
// endregion

// region: stream
scenario.part("The same as a stream") { world in
  world.network.stub(.get, pageAddress, responses: page())
  let stream = PageStream()
  stream.chunks
    .map { $0.count }
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("chunk of \($0) bytes") }
    )
    .store(in: &world.cancellables)
  world.makeSession(delegate: stream).dataTask(with: world.url(pageAddress)).resume()
}
// endregion

scenario.run()
