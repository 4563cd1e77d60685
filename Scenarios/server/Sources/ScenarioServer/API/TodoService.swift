import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TodoAPI

/// The API over HTTP: which threads do its work, and how much of it one client may request.
///
/// The database blocks, so it has threads of its own. So have passwords, and there's a limit on how
/// often they can be guessed. Nothing blocks the threads that serve connections.
struct TodoService: Sendable {
  private let api: TodoAPI
  private let limits: Limits
  private let database: DatabaseThreads
  private let passwords: PasswordThreads
  private let logins: LoginLimiter

  /// - Parameters:
  ///   - api: The rules and the store.
  ///   - limits: How much one client may request.
  ///   - database: The threads for the store. The caller closes them.
  ///   - passwords: The threads that hash passwords. The caller closes them.
  ///   - uptime: Returns milliseconds since any fixed moment.
  init(
    api: TodoAPI, limits: Limits, database: DatabaseThreads, passwords: PasswordThreads,
    uptime: @escaping @Sendable () -> Int64
  ) {
    self.api = api
    self.limits = limits
    self.database = database
    self.passwords = passwords
    logins = LoginLimiter(limits: limits, uptime: uptime)
  }

  /// Returns the response to an HTTP request.
  func response(to request: Request, from client: ClientAddress) async throws -> Response {
    try await reply(to: TodoRequest(request), from: client).response
  }

  /// Returns the reply to a request of the API.
  func reply(to request: TodoRequest, from client: ClientAddress) async throws -> TodoReply {
    let begin = { @Sendable in api.begin(request) }
    // A GET changes nothing.
    switch try await request.method == "GET" ? database.read(begin) : database.write(begin) {
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
    let reply = try await database.write(finish)
    if let attempt { logins.end(attempt, isRight: reply.status != 401) }
    return reply
  }
}
