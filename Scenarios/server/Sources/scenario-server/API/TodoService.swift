import NIOCore
import NIOPosix
import Synchronization
import TodoAPI

/// The API on threads of its own, because it blocks: nothing blocks those that serve connections.
///
/// A password takes half a second of a processor. So passwords have other threads than the rest,
/// and there's a limit on how many wait and on how often they can be guessed.
final class TodoService: Sendable {
  /// The threads that hash passwords: half of the processors, but at least one.
  private static let passwordThreads = {
    let threads = NIOThreadPool(numberOfThreads: max(1, System.coreCount / 2))
    threads.start()
    return threads
  }()

  private let api: TodoAPI
  private let mostPasswords: Int
  private let passwords = Mutex(0)
  private let logins: LoginLimiter

  /// - Parameters:
  ///   - api: The rules and the store.
  ///   - mostPasswords: The most logins and sign-ups at a time. Further ones get status 503.
  ///   - logins: Counts wrong logins.
  init(api: TodoAPI, mostPasswords: Int = 16, logins: LoginLimiter = LoginLimiter()) {
    self.api = api
    self.mostPasswords = mostPasswords
    self.logins = logins
  }

  /// Returns the reply to a request.
  func reply(to request: TodoRequest) async throws -> TodoReply {
    guard request.needsPassword else { return try await run(request, on: .singleton) }
    guard enter() else {
      return .refusal(
        503, "too many logins and sign-ups are waiting", headers: ["Retry-After": "5"])
    }
    defer { passwords.withLock { $0 -= 1 } }
    guard let account = request.account else {
      return try await run(request, on: Self.passwordThreads)
    }
    if let seconds = logins.begin(account) {
      return .refusal(429, "too many wrong logins", headers: ["Retry-After": "\(seconds)"])
    }
    let reply = try await run(request, on: Self.passwordThreads)
    if reply.status != 401 { logins.takeBack(account) }
    return reply
  }

  private func enter() -> Bool {
    passwords.withLock { count in
      guard count < mostPasswords else { return false }
      count += 1
      return true
    }
  }

  private func run(_ request: TodoRequest, on threads: NIOThreadPool) async throws -> TodoReply {
    try await threads.runIfActive { [api] in api.reply(to: request) }
  }
}
