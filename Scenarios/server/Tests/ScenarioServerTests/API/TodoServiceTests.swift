import Foundation
import Synchronization
import Testing
import TodoAPI

@testable import scenario_server

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

@Suite(.serialized) struct TodoServiceTests {
  private func service(_ passwords: any PasswordHashing) -> TodoService {
    let api = TodoAPI(
      store: MemoryTodoStore(), passwords: passwords, tokens: ModelTokens(), now: { 0 })
    return TodoService(api: api, mostPasswords: 2, logins: LoginLimiter { 0 })
  }

  /// All threads for passwords are taken, and no more may wait. Everything else goes on.
  @Test func loginsDoNotHoldUpOtherRequests() async throws {
    let passwords = HeldPasswords()
    let service = service(passwords)
    try await withThrowingTaskGroup(of: String.self) { group in
      for email in ["a@b", "c@d", "e@f"] {
        group.addTask { try await service.reply(to: .logIn(email)).text }
      }
      while passwords.begun.load(ordering: .relaxed) == 0 { await Task.yield() }
      let refused = try await group.next()
      let list = try await service.reply(to: .json("GET", "/todos")).status
      for _ in 1...2 { passwords.isOpen.signal() }
      #expect(
        refused
          == #"503 {"error":true,"reason":"too many logins and sign-ups are waiting"}"#
          + ", retry after 5 s")
      #expect(list == 401)
      try await group.waitForAll()
    }
    // The refused one has left nothing behind.
    passwords.isOpen.signal()
    #expect(try await service.reply(to: .logIn("a@b")).status == 401)
  }

  @Test func wrongLoginsAreLimitedPerAccount() async throws {
    let service = service(ModelPasswords())
    var history = [try await service.reply(to: .signUp("Ada@b")).status]
    for email in Array(repeating: "ada@b", count: 5) + Array(repeating: "ADA@b", count: 5) {
      history.append(try await service.reply(to: .logIn(email)).status)
      history.append(try await service.reply(to: .logIn(email, "wrong")).status)
    }
    #expect(history == [201] + Array(repeating: [200, 401], count: 10).flatMap(\.self))
    #expect(
      try await service.reply(to: .logIn("ada@b")).text
        == #"429 {"error":true,"reason":"too many wrong logins"}, retry after 60 s"#)
    #expect(try await service.reply(to: .logIn("bob@b")).status == 401)
  }
}
