import ScenarioKit

let scenario = Scenario(
  "completion-handler", "Load a page into memory, and do the three duties of a completion handler.")

// region: load
func showPage(at url: URL, in world: World) {
  let webView = WebView()
  let task = world.session.dataTask(with: url) { data, response, error in
    // note: First duty: check the error. If there is one, the transfer failed.
    if let error {
      reportClientError(error)
      return
    }
    // note: Second duty: check the response, both its status and its MIME type.
    guard let response = response as? HTTPURLResponse,
      (200...299).contains(response.statusCode), response.mimeType == "text/html"
    else {
      reportServerError(response)
      return
    }
    // note: Third duty: use the data. Now you know that it should be a page.
    guard let data, let html = String(data: data, encoding: .utf8) else {
      reportDecodingError(data)
      return
    }
    // note: The session calls the handler off the main thread, and a view belongs there.
    DispatchQueue.main.async {
      webView.show(html, baseURL: url)
    }
  }
  // note: A task starts suspended. Nothing is sent until you resume it.
  task.resume()
}
// endregion

// region: page
scenario.part("The page is shown") { world in
  world.network.stub(.get, pageURL, responses: page)
  showPage(at: pageURL, in: world)
}
// endregion

// region: lost
scenario.part("The connection is lost") { world in
  world.network.stub(
    .get, lostURL, responses: .failure(.networkConnectionLost, after: .milliseconds(60)))
  showPage(at: lostURL, in: world)
}
// endregion

// region: missing
scenario.part("The page is missing") { world in
  world.network.stub(.get, missingURL, responses: missingPage)
  showPage(at: missingURL, in: world)
}
// endregion

// region: latin-1
scenario.part("A page in another encoding") { world in
  world.network.stub(.get, latin1URL, responses: latin1Page)
  showPage(at: latin1URL, in: world)
}
// endregion

// region: careless
scenario.part("A handler that skips two duties") { world in
  world.network.stub(.get, missingURL, responses: missingPage)
  let webView = WebView()
  world.session.dataTask(with: missingURL) { data, _, _ in
    // note: Straight to the third duty.
    guard let data, let html = String(data: data, encoding: .utf8) else { return }
    DispatchQueue.main.async { webView.show(html, baseURL: missingURL) }
  }.resume()
}
// endregion

scenario.run()
