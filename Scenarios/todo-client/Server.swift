import ScenarioKit
import TodoAPI

let apiURL = URL(absolute: "https://api.example.com")
let failingURL = URL(absolute: "https://api.example.com/out-of-order")

extension World {
  /// Makes a client, and a server without users that responds to it.
  func makeClient(for base: URL = apiURL) -> TodoClient {
    let clock = clock
    let api = TodoAPI.model { clock.now.nanoseconds / 1_000_000 }
    // region: server
    network.serve(apiURL.absoluteString) { request in
      let reply = api.reply(to: TodoRequest(request))
      return .data(
        reply.body, type: TodoReply.contentType, status: reply.status, after: .milliseconds(40))
    }
    // endregion
    return TodoClient(base: base, session: session)
  }

  /// Signs Ada up, subscribes to `next`, and prints its values and its completion.
  func signUpAda<P: Publisher>(then next: @escaping (TodoClient, NewUser) -> P)
  where P.Failure == any Error {
    let client = makeClient()
    let ada = NewUser(named: uniqueName("ada"))
    client.signUp(ada)
      .flatMap { _ in next(client, ada) }
      .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
      .store(in: &cancellables)
  }
}
