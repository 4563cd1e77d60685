import Foundation
import Synchronization
import Testing
import TodoAPI

@testable import ScenarioServer

/// Passwords that aren't hashed before the test says so.
private final class HeldPasswords: PasswordHashing {
  let isOpen = DispatchSemaphore(value: 0)
  let begun = Atomic<Int>(0)

  func hash(_ password: String) -> String { password }

  func verify(_ password: String, against hash: String) -> Bool {
    begun.add(1, ordering: .relaxed)
    isOpen.wait()
    return password == hash
  }
}

@Suite(.timeLimit(.minutes(15))) struct TodoServiceTests {
  private var limits = Limits()
  private let store = MemoryTodoStore()

  init() {
    limits.refusalDelay = 0
    limits.passwordThreads = 2
  }

  /// Runs some work with a service, and closes its threads.
  private func withService(
    _ passwords: any PasswordHashing, _ limits: Limits? = nil,
    _ body: (TodoService) async throws -> Void
  ) async throws {
    let limits = limits ?? self.limits
    let database = DatabaseThreads()
    let threads = PasswordThreads(limits: limits)
    let api = TodoAPI(store: store, passwords: passwords, tokens: ModelTokens(), now: { 0 })
    let service = TodoService(
      api: api, limits: limits, database: database, passwords: threads, uptime: { 0 })
    let result: Result<Void, any Error>
    do { result = .success(try await body(service)) } catch { result = .failure(error) }
    await threads.close()
    await database.close()
    try result.get()
  }

  private func login(_ email: String, _ password: String) -> TodoRequest {
    let credentials = Data("\(email):\(password)".utf8).base64EncodedString()
    return TodoRequest(method: "POST", path: "/login", authorization: "Basic \(credentials)")
  }

  private func text(_ reply: TodoReply) -> String {
    let retry = reply.headers["Retry-After"].map { ", retry after \($0) s" } ?? ""
    return "\(reply.status) \(String(decoding: reply.body, as: UTF8.self))\(retry)"
  }

  /// All threads for passwords are taken, and the queue is full. Everything else goes on.
  @Test func loginsDoNotHoldUpOtherRequests() async throws {
    let passwords = HeldPasswords()
    _ = try store.addUser(name: "Ada", email: "ada@b", passwordHash: "right")
    try store.addToken(digest: "t", userID: 1, expiry: .max)
    try await withService(passwords) { service in
      try await withThrowingTaskGroup(of: TodoReply.self) { group in
        for number in 1...limits.waitingPasswords {
          group.addTask {
            try await service.reply(to: login("ada\(number)@b", "wrong"), from: .v4(UInt32(number)))
          }
        }
        while passwords.begun.load(ordering: .relaxed) < 2 { await Task.yield() }
        let list = TodoRequest(method: "GET", path: "/todos", authorization: "Bearer t")
        #expect(text(try await service.reply(to: list, from: .v4(1))) == "200 []")
        let wrongInput = TodoRequest(method: "POST", path: "/users")
        #expect(try await service.reply(to: wrongInput, from: .v4(1)).status == 415)
        for _ in 1...limits.waitingPasswords { passwords.isOpen.signal() }
        for try await reply in group { #expect(reply.status == 401) }
      }
    }
  }

  @Test func aFullQueueRefusesWith503AndOneClientsShareWith429() async throws {
    var limits = limits
    limits.waitingPasswords = 3
    limits.waitingPasswordsPerClient = 2
    let passwords = HeldPasswords()
    try await withService(passwords, limits) { service in
      try await withThrowingTaskGroup(of: TodoReply.self) { group in
        for number in 1...2 {
          group.addTask { try await service.reply(to: login("\(number)@b", "x"), from: .v4(1)) }
        }
        while passwords.begun.load(ordering: .relaxed) < 2 { await Task.yield() }
        #expect(
          text(try await service.reply(to: login("3@b", "x"), from: .v4(1)))
            == #"429 {"error":true,"reason":"too many of your logins and sign-ups are waiting"}, "#
            + "retry after 5 s")
        // Another client still has room for one. Whichever of its two comes second is refused.
        for number in 4...5 {
          group.addTask { try await service.reply(to: login("\(number)@b", "x"), from: .v4(2)) }
        }
        let refused = try #require(try await group.next())
        #expect(
          text(refused)
            == #"503 {"error":true,"reason":"too many logins and sign-ups are waiting"}, "#
            + "retry after 5 s")
        for _ in 1...3 { passwords.isOpen.signal() }
        for try await reply in group { #expect(reply.status == 401) }
        // All have left the queue. The refused logins don't count as wrong.
        for _ in 1...limits.wrongLoginsPerAccount {
          passwords.isOpen.signal()
          #expect(try await service.reply(to: login("3@b", "x"), from: .v4(1)).status == 401)
        }
      }
    }
  }

  @Test func eachFinishedPasswordFreesOnePlaceOfItsClient() async throws {
    var limits = limits
    limits.passwordThreads = 1
    limits.waitingPasswordsPerClient = 2
    let passwords = HeldPasswords()
    try await withService(passwords, limits) { service in
      try await withThrowingTaskGroup(of: Int.self) { group throws in
        let tryLogin = { @Sendable in
          try await service.reply(to: login("a@b", "x"), from: .v4(1)).status
        }
        // Two wait, and a third is refused. Then one ends: there's room for one, not for two.
        for _ in 1...3 { group.addTask { try await tryLogin() } }
        #expect(try await group.next() == 429)
        passwords.isOpen.signal()
        #expect(try await group.next() == 401)
        for _ in 1...2 { group.addTask { try await tryLogin() } }
        #expect(try await group.next() == 429)
        for _ in 1...2 { passwords.isOpen.signal() }
        #expect(try await group.next() == 401)
        #expect(try await group.next() == 401)
      }
    }
  }

  @Test func wrongLoginsAreLimitedPerAccount() async throws {
    _ = try store.addUser(name: "Ada", email: "Ada@b", passwordHash: "right")
    try await withService(ModelPasswords()) { service in
      var history: [Int] = []
      for number in 1...limits.wrongLoginsPerAccount + 1 {
        // Each time from another client, and with another spelling.
        let email = number.isMultiple(of: 2) ? "ada@b" : "ADA@b"
        let reply = try await service.reply(to: login(email, "wrong"), from: .v4(UInt32(number)))
        history.append(reply.status)
      }
      #expect(history == Array(repeating: 401, count: 10) + [429])
      #expect(
        text(try await service.reply(to: login("ada@b", "right"), from: .v4(99)))
          == #"429 {"error":true,"reason":"too many wrong logins"}, retry after 60 s"#)
      #expect(try await service.reply(to: login("bob@b", "x"), from: .v4(1)).status == 401)
    }
  }

  @Test func wrongLoginsAreLimitedPerClient() async throws {
    try await withService(ModelPasswords()) { service in
      var history: [Int] = []
      for number in 1...limits.wrongLoginsPerClient + 1 {
        history.append(
          try await service.reply(to: login("\(number)@b", "wrong"), from: .v4(1)).status)
      }
      #expect(history == Array(repeating: 401, count: 30) + [429])
      // A sign-up isn't a login.
      let body = #"{"name":"A","email":"a@b","password":"12345678","verifyPassword":"12345678"}"#
      let signUp = TodoRequest(
        method: "POST", path: "/users", contentType: "application/json", body: Data(body.utf8))
      #expect(try await service.reply(to: signUp, from: .v4(1)).status == 201)
      #expect(try await service.reply(to: login("a@b", "12345678"), from: .v4(2)).status == 200)
    }
  }
}
