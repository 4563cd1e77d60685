import ScenarioKit
import TodoAPI

let apiURL = URL(absolute: "https://api.example.com")

extension World {
  /// Makes a client, and a server without users that responds to it.
  func makeClient() -> TodoClient {
    let clock = clock
    let api = TodoAPI.model { clock.now.nanoseconds / 1_000_000 }
    // region: server
    network.serve(apiURL.absoluteString) { request in
      let reply = api.reply(to: TodoRequest(request))
      return .data(
        reply.body, type: TodoReply.contentType, status: reply.status, after: .milliseconds(40))
    }
    // endregion
    return TodoClient(base: apiURL, session: session)
  }

  // region: show
  func show(_ publisher: some Publisher<Todo, any Error>) {
    publisher
      .sink(
        receiveCompletion: { print("completion:", $0) }, receiveValue: { print("received:", $0) }
      )
      .store(in: &cancellables)
  }
  // endregion
}
