import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import TodoAPI

/// The API over HTTP: which threads do its work, and how much of it one client may request.
///
/// The database blocks, so it has a thread pool. Passwords have threads of their own, and a limit
/// on how often they can be guessed. Nothing blocks the threads that serve connections.
struct TodoService: Sendable {
  private let api: TodoAPI
  private let limits: Limits
  private let passwords: PasswordThreads
  private let logins: LoginLimiter

  /// - Parameters:
  ///   - api: The rules and the store.
  ///   - limits: How much one client may request.
  ///   - passwords: The threads that hash passwords. The caller closes them.
  ///   - uptime: Returns milliseconds since any fixed moment.
  init(
    api: TodoAPI, limits: Limits, passwords: PasswordThreads,
    uptime: @escaping @Sendable () -> Int64
  ) {
    self.api = api
    self.limits = limits
    self.passwords = passwords
    logins = LoginLimiter(limits: limits, uptime: uptime)
  }

  /// Returns the response to an HTTP request.
  func response(to request: Request, from client: ClientAddress) async throws -> Response {
    try await reply(to: TodoRequest(request), from: client).response
  }

  /// Returns the reply to a request of the API.
  func reply(to request: TodoRequest, from client: ClientAddress) async throws -> TodoReply {
    switch try await onDatabaseThread({ api.begin(request) }) {
    case .done(let reply): return reply
    case .hashing(let work):
      do {
        return try await reply(to: work, from: client)
      } catch let overload as Overload {
        try await pause(for: .milliseconds(limits.refusalDelay))
        return overload.reply
      }
    }
  }

  private func reply(
    to work: TodoAPI.Hashing, from client: ClientAddress
  ) async throws -> TodoReply {
    let attempt = try work.account.map { try logins.begin(client: client, account: $0) }
    let finish: @Sendable () -> TodoReply
    do {
      finish = try await passwords.run(for: client, work.hash)
    } catch let overload as Overload {
      if let attempt { logins.cancel(attempt) }
      throw overload
    }
    let reply = try await onDatabaseThread(finish)
    if let attempt { logins.end(attempt, isRight: reply.status != 401) }
    return reply
  }

  private func onDatabaseThread<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result
  ) async throws -> Result {
    try await NIOThreadPool.singleton.runIfActive(work)
  }
}
