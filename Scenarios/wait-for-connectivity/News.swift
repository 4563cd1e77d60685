import ScenarioKit

let address = "https://api.example.com/news"
let news = StubResponse.text("All is well.", after: .milliseconds(100))

// region: error
/// Why there are no news.
enum NewsError: Error, StablyDescribed {
  case network(URLError)
  /// They would have come later than anybody wants to wait.
  case tooLate

  var stableText: String {
    switch self {
    case .network(let error): ScenarioKit.stableText(error)
    case .tooLate: "NewsError.tooLate"
    }
  }
}
// endregion

// region: connect
/// Lets the network come or go, and says so.
func connect(_ isConnected: Bool, after time: VirtualTime, in world: World) {
  world.at(time) {
    world.network.isConnected = isConnected
    print("network:", isConnected ? "there" : "gone")
  }
}
// endregion

/// Prints what comes, with a name in front.
func show(_ name: String, _ news: some Publisher<String, NewsError>, in world: World) {
  news
    .sink(
      receiveCompletion: { print("\(name):", $0) },
      receiveValue: { print("\(name): \"\($0)\"") }
    )
    .store(in: &world.cancellables)
}
