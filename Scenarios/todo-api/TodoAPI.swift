import Foundation

/// The rules of a small API for users, tokens and todos. It depends neither on how requests arrive
/// nor on where data is stored.
///
/// | Request | Response |
/// | --- | --- |
/// | `POST /users` with name, email, password, verifyPassword | 201 and the user |
/// | `POST /login` with Basic credentials | 200 and a token, valid for less with `?expiresIn=SECONDS` |
/// | `GET /todos` with the token | 200 and the user's todos |
/// | `POST /todos` with the token and a title | 201 and the todo |
/// | `DELETE /todos/ID` with the token | 200 and the deleted todo |
/// | anything below `/out-of-order` | 500, so that you can see one |
///
/// If a request is refused, the status is 400 or more, and the body is
/// `{"error": true, "reason": "…"}`. Reasons and descriptions contain no passwords or tokens.
///
/// Several threads may call it at once. A call takes as long as the store and the hashing of
/// passwords take.
public struct TodoAPI: Sendable {
  /// The maximum size of a request's body, in bytes.
  public static let longestBody = 64 << 10

  private let store: any TodoStore
  private let passwords: any PasswordHashing
  private let tokens: any TokenMaking
  private let now: @Sendable () -> Int64
  private let tokenLifetime: Int
  private let limits: TodoLimits
  private let challenge: String?

  /// A hash to verify against when the user is unknown; `nil` if it couldn't be made.
  ///
  /// Without it, all logins are refused, because their duration would tell unknown users from known
  /// ones.
  private let decoyHash: String?

  /// Makes an API.
  ///
  /// - Parameters:
  ///   - store: Stores users, tokens and todos.
  ///   - passwords: Hashes passwords.
  ///   - tokens: Makes tokens.
  ///   - now: Returns the time, in milliseconds since any fixed moment.
  ///   - tokenLifetime: How long a token is valid, in seconds.
  ///   - limits: How much the API stores.
  ///   - challenge: The header field `WWW-Authenticate` of responses with status 401. HTTP requires
  ///     it. But on Linux, a stubbed session can't receive it, and a real session never calls its
  ///     completion handler if it's `Basic`.
  public init(
    store: any TodoStore, passwords: any PasswordHashing, tokens: any TokenMaking,
    now: @escaping @Sendable () -> Int64, tokenLifetime: Int = 3600,
    limits: TodoLimits = .standard, challenge: String? = nil
  ) {
    precondition(tokenLifetime > 0, "tokenLifetime must be at least 1 second")
    self.store = store
    self.passwords = passwords
    self.tokens = tokens
    self.now = now
    self.tokenLifetime = tokenLifetime
    self.limits = limits
    self.challenge = challenge
    decoyHash = try? passwords.hash("decoy password")
  }

  /// Makes an API with an empty store in memory, which behaves the same in each run.
  ///
  /// - Parameter now: Returns the time, in milliseconds since any fixed moment.
  public static func model(now: @escaping @Sendable () -> Int64) -> TodoAPI {
    TodoAPI(
      store: MemoryTodoStore(), passwords: ModelPasswords(), tokens: ModelTokens(), now: now)
  }

  /// Performs a request and returns the reply.
  public func reply(to request: TodoRequest) -> TodoReply {
    do { return try route(request) } catch { return reply(to: error) }
  }

  private func reply(to error: any Error) -> TodoReply {
    if error is TodoStoreIsFull {
      return Refusal(507, "the server has no room to store this").reply
    }
    if error is TodoStoreIsBusy {
      return Refusal(
        503, "another program is using the server's data", headers: ["Retry-After": "1"]
      ).reply
    }
    guard var refusal = error as? Refusal else {
      // The reply leaves the error out, because it may reveal stored data.
      return Refusal(500, "something went wrong on the server").reply
    }
    if refusal.status == 401 { refusal.headers["WWW-Authenticate"] = challenge }
    return refusal.reply
  }

  // MARK: Routing

  private func route(_ request: TodoRequest) throws -> TodoReply {
    guard request.body.count <= Self.longestBody else {
      throw Refusal(413, "the body is larger than 64 KiB")
    }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (parts.first, parts.count) {
    case ("out-of-order", _): throw Refusal(500, "the server is out of order")
    case ("users", 1): return try route(request, ["POST": signUp])
    case ("login", 1): return try route(request, ["POST": logIn])
    case ("todos", 1): return try route(request, ["GET": list, "POST": post])
    case ("todos", 2) where parts.last != "":
      return try route(request, ["DELETE": delete])
    default: throw Refusal(404, "there's nothing at this path")
    }
  }

  private func route(
    _ request: TodoRequest, _ methods: [String: (TodoRequest) throws -> TodoReply]
  ) throws -> TodoReply {
    guard let method = methods[request.method] else {
      let allowed = methods.keys.sorted().joined(separator: ", ")
      throw Refusal(405, "this path only supports \(allowed)", headers: ["Allow": allowed])
    }
    return try method(request)
  }

  // MARK: Users and tokens

  private func signUp(_ request: TodoRequest) throws -> TodoReply {
    let fields = try Fields(request)
    let name = try fields.text("name", most: 100)
    let email = try fields.text("email", most: 254)
    let password = try fields.text("password", most: 128)
    guard email.isLikelyEmailAddress else {
      throw Refusal(400, "email isn't an e-mail address")
    }
    guard password.count >= 8 else { throw Refusal(400, "password is shorter than 8 characters") }
    guard try fields.text("verifyPassword", most: 128) == password else {
      throw Refusal(400, "password and verifyPassword differ")
    }
    guard
      let user = try store.addUser(
        name: name, email: email, passwordHash: passwords.hash(password), limit: limits.users)
    else {
      throw Refusal(409, "a user with this email already exists")
    }
    return TodoReply(status: 201, user)
  }

  private func logIn(_ request: TodoRequest) throws -> TodoReply {
    struct Body: Encodable {
      let expiresIn: Int
      let string: String
    }
    let lifetime = try lifetime(request.query["expiresIn"])
    guard let (email, password) = request.basicCredentials else {
      throw Refusal(401, "log in with Basic authentication: email and password")
    }
    guard let decoyHash else { throw Refusal(500, "the server is out of order") }
    let known = try store.user(email: email)
    // An unknown user and a wrong password take the same work and get the same reply. So the client
    // can't find out which addresses have signed up.
    let isRight = try passwords.verify(password, against: known?.passwordHash ?? decoyHash)
    guard isRight, let known else { throw Refusal(401, "wrong email or password") }
    let token = tokens.makeToken()
    try store.addToken(
      digest: tokens.digest(token), userID: known.user.id, expiry: now() + Int64(lifetime) * 1000,
      limit: limits.tokensOfAUser)
    return TodoReply(status: 200, Body(expiresIn: lifetime, string: token))
  }

  private func lifetime(_ text: String?) throws -> Int {
    guard let text else { return tokenLifetime }
    guard let seconds = Int(digits: text) else {
      throw Refusal(400, "expiresIn must be a positive number of seconds")
    }
    return min(seconds, tokenLifetime)
  }

  /// Returns the ID of the user whose token comes with a request.
  private func userID(_ request: TodoRequest) throws -> Int {
    guard let token = request.bearerToken else {
      throw Refusal(401, "this needs a token: log in first")
    }
    guard let (userID, expiry) = try store.token(digest: tokens.digest(token)) else {
      throw Refusal(401, "the token is unknown")
    }
    guard now() < expiry else { throw Refusal(401, "the token has expired") }
    return userID
  }

  // MARK: Todos

  private func list(_ request: TodoRequest) throws -> TodoReply {
    TodoReply(status: 200, try store.todos(userID: userID(request)))
  }

  private func post(_ request: TodoRequest) throws -> TodoReply {
    let userID = try userID(request)
    let title = try Fields(request).text("title", most: 200)
    guard
      let todo = try store.addTodo(title: title, userID: userID, limit: limits.todosOfAUser)
    else {
      throw Refusal(409, "you have \(limits.todosOfAUser) todos, so delete one first")
    }
    return TodoReply(status: 201, todo)
  }

  private func delete(_ request: TodoRequest) throws -> TodoReply {
    let userID = try userID(request)
    let last = request.path.split(separator: "/").last ?? ""
    guard let id = Int(digits: last) else { throw Refusal(404, "this todo doesn't exist") }
    switch try store.deleteTodo(id, userID: userID) {
    case .deleted(let todo): return TodoReply(status: 200, todo)
    case .notThere: throw Refusal(404, "this todo doesn't exist")
    case .notYours: throw Refusal(403, "this todo belongs to another user")
    }
  }
}
