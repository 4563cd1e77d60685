import ScenarioKit

let scenario = Scenario(
  "completion-handler", "Load a page into memory, and do the three duties of a completion handler.")

// region: load
func showPage(_ address: String, in world: World) {
  let url = world.url(address)
  let webView = WebView()
  let task = world.session.dataTask(with: url) { data, response, error in
    // note: First duty: an error says that there is no whole answer. Then nothing else counts.
    if let error {
      reportNoAnswer(error)
      return
    }
    // note: Second duty: the status and the MIME type. Neither makes an error when it is the wrong one.
    guard let response = response as? HTTPURLResponse,
      (200...299).contains(response.statusCode), response.mimeType == "text/html"
    else {
      reportWrongAnswer(response)
      return
    }
    // note: Third duty: the data, now that it is known to be a page.
    guard let data, let html = String(data: data, encoding: .utf8) else {
      reportWrongAnswer(response)
      return
    }
    // note: The session calls back off the main thread, and a view belongs there.
    DispatchQueue.main.async {
      webView.show(html, baseURL: url)
    }
  }
  // note: A task is made suspended: without this, nothing happens at all.
  task.resume()
}
// endregion

// region: outcomes
scenario.part("The page is shown") { world in
  world.network.stub(.get, pageAddress, responses: page())
  showPage(pageAddress, in: world)
}

scenario.part("The connection is lost") { world in
  world.network.stub(
    .get, lostAddress, responses: .failure(.networkConnectionLost, after: .milliseconds(60)))
  showPage(lostAddress, in: world)
}

scenario.part("The page is missing") { world in
  world.network.stub(.get, missingAddress, responses: missingPage)
  showPage(missingAddress, in: world)
}

scenario.part("The page is an image") { world in
  world.network.stub(.get, imageAddress, responses: page(type: "image/png"))
  showPage(imageAddress, in: world)
}

scenario.part("The page cannot be read") { world in
  world.network.stub(.get, latinAddress, responses: latinPage)
  showPage(latinAddress, in: world)
}
// endregion

// region: careless
scenario.part("The page is missing, and nobody looks") { world in
  world.network.stub(.get, missingAddress, responses: missingPage)
  let url = world.url(missingAddress)
  let webView = WebView()
  world.session.dataTask(with: url) { data, _, _ in
    // note: The third duty without the first two.
    guard let data else { return }
    let html = String(decoding: data, as: UTF8.self)
    DispatchQueue.main.async { webView.show(html, baseURL: url) }
  }.resume()
}
// endregion

scenario.run()
