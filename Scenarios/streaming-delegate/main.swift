import ScenarioKit

let scenario = Scenario(
  "streaming-delegate", "Receive a page chunk by chunk, with a delegate and as a stream.")

// region: delegate
/// Receives one page as it arrives. Its state has no lock, so the session's delegate queue must be
/// serial.
final class PageLoader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private var received = Data()
  private var isRefused = false

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    print("response:", response)
    isRefused = !response.isPage
    // note: `.cancel` says that you don't want the body. Foundation on Linux ignores it.
    completionHandler(isRefused ? .cancel : .allow)
    // note: Cancel the task too. On Linux, only that stops the body.
    if isRefused { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // note: `cancel()` returns before the task has stopped, so with a real server, data may still
    //   arrive. Ignore that data.
    guard !isRefused else { return }
    received.append(data)
    let expected = dataTask.response?.expectedContentLength ?? -1
    print("progress: \(received.count) of \(expected) bytes")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let received = received
    // note: The delegate queue isn't the main queue. Hop there before you touch a view.
    DispatchQueue.main.async {
      if let error { return print("failed:", error) }
      print("page:", String(decoding: received, as: UTF8.self))
    }
  }
}
// endregion

// region: three
func load(_ url: URL, in world: World) {
  world.makeSession(delegate: PageLoader()).dataTask(with: url).resume()
}

scenario.part("A page in three chunks") { world in
  world.network.stub(.get, pageURL, responses: page())
  load(pageURL, in: world)
}
// endregion

// region: image
scenario.part("The page is an image") { world in
  world.network.stub(.get, imageURL, responses: page(type: "image/png"))
  load(imageURL, in: world)
}
// endregion

// region: stream
scenario.part("The page as a stream") { world in
  world.network.stub(.get, pageURL, responses: page())
  let stream = PageStream()
  // note: Subscribe before you start the task. The subject doesn't keep chunks for later.
  stream.chunks
    .lane("chunks")
    .map { $0.count }
    .lane("map")
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("chunk of \($0) bytes") }
    )
    .store(in: &world.cancellables)
  world.makeSession(delegate: stream).dataTask(with: pageURL).resume()
}
// endregion

scenario.run()
