import ScenarioKit

let scenario = Scenario(
  "refresh-once", "Put an actor between two streams, and refresh an expired token only once.",
  refusesServers: "its server has to forget a token")

// region: pipeline
func showPages(_ taps: some Publisher<String, Never>, _ tokens: any TokenStore, in world: World) {
  let session = world.session
  let pages = PassthroughSubject<String, Never>()
  taps
    .lane("taps")
    .sink { name in
      // note: Each tap starts a task, which sends what it has loaded into the second stream.
      Task { pages.send(await page(name, tokens, session)) }
    }
    .store(in: &world.cancellables)
  pages
    .lane("pages")
    .receive(on: DispatchQueue.main)
    .sink { print("on screen:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: page
func page(_ name: String, _ tokens: any TokenStore, _ session: URLSession) async -> String {
  var request = URLRequest(url: apiURL.appendingPathComponent(name))
  do {
    let token = await tokens.token
    request.setValue(token, forHTTPHeaderField: "Authorization")
    if let text = try await text(of: request, session) { return text }
    // note: The server refused the token, so the request is sent again with a newer one.
    let newer = try await tokens.token(after: token)
    request.setValue(newer, forHTTPHeaderField: "Authorization")
    return try await text(of: request, session) ?? "no \(name): please sign in"
  } catch {
    return "no \(name)"
  }
}
// endregion

// region: taps
func tapTwice(_ tokens: any TokenStore, in world: World) {
  let taps = PassthroughSubject<String, Never>()
  showPages(taps, tokens, in: world)
  world.at(.zero) { taps.send("news") }
  world.at(.milliseconds(110)) { taps.send("mail") }
}
// endregion

scenario.part("An actor that checks") { world in
  world.startServer()
  tapTwice(CheckingStore(world.session), in: world)
}

scenario.part("An actor that keeps the refresh") { world in
  world.startServer()
  tapTwice(SharingStore(world.session), in: world)
}

scenario.run()
