import Foundation
import FoundationNetworking
import Synchronization
import Testing
import TodoAPI

@Suite struct TodoAPITests {
  /// The shared list of requests, sent to the model: each step gets its expected reply.
  @Test func theModelGivesTheExpectedReplies() async {
    let now = Atomic<Int64>(0)
    // Each look at the clock takes a millisecond.
    let api = TodoAPI.model { now.add(1, ordering: .relaxed).newValue }
    let outcomes = await TodoConversation.run { api.reply(to: $0) }
    for outcome in outcomes where !outcome.isAsExpected { Issue.record("\(outcome)") }
    #expect(outcomes.count == TodoConversation.steps.count)
  }

  @Test func aTranscriptContainsNoSecrets() async {
    let api = TodoAPI.model { 0 }
    let outcomes = await TodoConversation.run(attempts: 1) { api.reply(to: $0) }
    let text = outcomes.map { "\($0)" }.joined()
    #expect(!text.contains("token-"))
    #expect(!text.contains("correct horse"))
    // The step that waits for a token to expire shows what it got instead.
    #expect(text.contains("expected: 401 {\"error\":true,\"reason\":\"the token has expired\"}"))
  }

  @Test func descriptionsOfRequestsAndRepliesContainNoSecrets() {
    let request = TodoRequest(
      method: "POST", path: "/login", authorization: "Bearer secret", body: Data("secret".utf8))
    let reply = TodoReply(status: 200, body: Data("secret".utf8))
    var dumped = ""
    dump(request, to: &dumped)
    dump(reply, to: &dumped)
    #expect(!dumped.contains("secret"))
    #expect("\(request) \(reply)" == "POST /login 200")
    #expect(!String(reflecting: request).contains("secret"))
  }

  /// A store that can't be reached.
  struct BrokenStore: TodoStore {
    struct Failure: Error { let path = "/secret/database" }
    func addUser(
      name: String, email: String, passwordHash: String, limit: Int
    ) throws -> TodoUser? { throw Failure() }
    func user(email: String) throws -> (user: TodoUser, passwordHash: String)? { throw Failure() }
    func addToken(digest: String, userID: Int, expiry: Int64, limit: Int) throws {
      throw Failure()
    }
    func token(digest: String) throws -> (userID: Int, expiry: Int64)? { throw Failure() }
    func todos(userID: Int) throws -> [Todo] { throw Failure() }
    func addTodo(title: String, userID: Int, limit: Int) throws -> Todo? { throw Failure() }
    func deleteTodo(_ id: Int, userID: Int) throws -> TodoDeletion { throw Failure() }
  }

  @Test func anErrorOfTheStoreIsNotInTheReply() {
    let api = TodoAPI(
      store: BrokenStore(), passwords: ModelPasswords(), tokens: ModelTokens(), now: { 0 })
    #expect(
      api.reply(to: .json("GET", "/todos", "Bearer any")).text
        == #"500 {"error":true,"reason":"something went wrong on the server"}"#)
  }

  /// A password hasher that records its calls.
  final class CountingPasswords: PasswordHashing {
    let calls = Mutex<[String]>([])
    func hash(_ password: String) -> String {
      calls.withLock { $0.append("hash") }
      return password
    }
    func verify(_ password: String, against hash: String) -> Bool {
      calls.withLock { $0.append("verify") }
      return password == hash
    }
  }

  @Test func anUnknownUserTakesTheSameWorkAsAWrongPassword() {
    let passwords = CountingPasswords()
    let api = TodoAPI(
      store: MemoryTodoStore(), passwords: passwords, tokens: ModelTokens(), now: { 0 })
    passwords.calls.withLock { $0 = [] }
    #expect(api.reply(to: .logIn("eve@example.com")).status == 401)
    #expect(passwords.calls.withLock { $0 } == ["verify"])
  }

  @Test func each401HasTheChallenge() {
    let api = TodoAPI(
      store: MemoryTodoStore(), passwords: ModelPasswords(), tokens: ModelTokens(), now: { 0 },
      challenge: "Bearer")
    #expect(
      api.reply(to: TodoRequest(method: "GET", path: "/todos")).headers
        == ["WWW-Authenticate": "Bearer"])
    #expect(api.reply(to: TodoRequest(method: "GET", path: "/nowhere")).headers == [:])
  }

  @Test func readsTheRequestOfAURLSession() throws {
    let url = try #require(URL(string: "https://example.com/a%20b?expiresIn=1&expiresIn=2&x"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("{}".utf8)
    request.setValue("application/json", forHTTPHeaderField: "content-type")
    request.setValue("Bearer t", forHTTPHeaderField: "authorization")
    #expect(
      TodoRequest(request)
        == TodoRequest(
          method: "POST", path: "/a b", query: ["expiresIn": "2", "x": ""],
          authorization: "Bearer t", contentType: "application/json", body: Data("{}".utf8)))
  }

  /// If many clients sign up with one address at the same time, one of them gets it.
  @Test func anAddressIsTakenOnceByManyThreads() {
    let api = TodoAPI.model { 0 }
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<8 {
        let reply = api.reply(to: .signUp("a@b"))
        statuses.withLock { $0.append(reply.status) }
      }
    }
    #expect(statuses.withLock { $0.sorted() } == [201] + Array(repeating: 409, count: 63))
  }
}
