import ScenarioKit
import TestSupport
import Testing

@testable import todo_client

@Suite struct TodoClientTests {
  /// The output of a run contains neither passwords nor tokens.
  @Test(arguments: ScenarioTests.formats.map(\.arguments))
  func noFormatShowsASecret(arguments: [String]) async throws {
    let output = try await Runs.result(of: "todo-client", arguments).stdout
    #expect(output.contains("todo-client") || output.contains("https://api.example.com/todos"))
    for secret in ["s password", "token-", "of yesterday", "Basic ", "Bearer "] {
      #expect(!output.contains(secret))
    }
  }

  /// The page's "What if": `tryCatch` stands below the login instead of below `post` only.
  @Test func belowTheLoginTryCatchTriesAWrongPasswordTwice() {
    let network = StubNetwork(clock: VirtualTimeScheduler())
    network.stub(
      .post, "https://api.example.com/login",
      responses: StubResponse.json(
        #"{"error": true, "reason": "wrong email or password"}"#, status: 401,
        after: .milliseconds(40)
      ).repeating)
    let client = TodoClient(base: apiURL, session: network.makeSession())
    var history: [String] = []
    let subscription = client.logIn(email: "ada@example.com", password: "wrong")
      .flatMap { client.post(NewTodo(title: "Swim"), token: $0) }
      .tryCatch { error in
        guard case APIError.refused(status: 401, _) = error else { throw error }
        return client.logIn(email: "ada@example.com", password: "wrong")
          .flatMap { client.post(NewTodo(title: "Swim"), token: $0) }
      }
      .sink(
        receiveCompletion: { history.append(stableText($0)) },
        receiveValue: { history.append($0.title) })
    network.clock.run()
    #expect(history == ["failure(APIError 401: wrong email or password)"])
    #expect(
      network.events.map(\.description).filter { $0.contains("POST") } == [
        "0 request 1: POST https://api.example.com/login",
        "40ms request 2: POST https://api.example.com/login",
      ])
    subscription.cancel()
  }
}
