import ScenarioKit
import TodoAPI

let address = "https://api.example.com"

// region: user
extension NewUser {
  /// A user whose other data follow from the name.
  init(named name: String) {
    self.init(
      name: name, email: "\(name)@example.com", password: "\(name)'s password",
      verifyPassword: "\(name)'s password")
  }
}
// endregion

// region: model
extension World {
  /// Makes a client of a server that knows nobody yet: the API's own rules, in this process.
  func makeClient(at path: String = "") -> TodoClient {
    let clock = clock
    let api = TodoAPI.model { clock.now.nanoseconds / 1_000_000 }
    network.serve(address) { request in
      let reply = api.reply(to: TodoRequest(request))
      return .data(
        reply.body, type: TodoReply.contentType, status: reply.status, after: .milliseconds(40))
    }
    return TodoClient(base: url(address + path), session: session)
  }
}
// endregion

// region: show
extension World {
  /// Signs Ada up and shows what then comes of something.
  func show<P: Publisher>(_ body: @escaping (TodoClient, NewUser) -> P)
  where P.Failure == any Error {
    let client = makeClient()
    let ada = NewUser(named: uniqueName("ada"))
    client.signUp(ada)
      .flatMap { _ in body(client, ada) }
      .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
      .store(in: &cancellables)
  }
}
// endregion
