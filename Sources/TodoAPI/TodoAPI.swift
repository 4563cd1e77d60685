import Foundation

/// A small API of users, tokens and todos: its rules, whoever carries the requests to it, and
/// wherever what it knows is kept.
///
/// | Request | Answer |
/// | --- | --- |
/// | `POST /users` with name, email, password, verifyPassword | 201 and the user |
/// | `POST /login` with Basic credentials | 200 and a token; `?expiresIn=SECONDS` asks for a shorter life |
/// | `GET /todos` with the token | 200 and one's own todos |
/// | `POST /todos` with the token and a title | 201 and the todo |
/// | `DELETE /todos/ID` with the token | 200 and the todo that is gone |
/// | anything below `/out-of-order` | 500, to see one |
///
/// What cannot be done is answered with a status of 400 or more and
/// `{"error": true, "reason": "…"}`. Neither reasons nor descriptions hold passwords or tokens.
///
/// It may be called from several threads at once. A call takes as long as the store and the hashing
/// of passwords take.
public struct TodoAPI: Sendable {
  /// How many bytes a request's body may have.
  public static let longestBody = 64 << 10

  private let store: any TodoStore
  private let passwords: any PasswordHashing
  private let tokens: any TokenMaking
  private let now: @Sendable () -> Int64
  private let tokenLifetime: Int
  private let challenge: String?

  /// The hash of a password that nobody has, for those whom nobody knows.
  ///
  /// Without it nobody can log in: unknown users could be told from known ones.
  private let nobodysHash: String?

  /// Makes an API.
  ///
  /// - Parameters:
  ///   - store: Where everything is kept.
  ///   - passwords: Hashes passwords.
  ///   - tokens: Makes tokens.
  ///   - now: The time, in milliseconds from any beginning.
  ///   - tokenLifetime: How long a token is good for, in seconds.
  ///   - challenge: The header field `WWW-Authenticate` of answers with status 401. HTTP wants one;
  ///     but a stubbed session on Linux cannot be given it, and with `Basic` a real one never calls
  ///     its completion handler.
  public init(
    store: any TodoStore, passwords: any PasswordHashing, tokens: any TokenMaking,
    now: @escaping @Sendable () -> Int64, tokenLifetime: Int = 3600, challenge: String? = nil
  ) {
    precondition(tokenLifetime > 0, "a token lives for a second at least")
    self.store = store
    self.passwords = passwords
    self.tokens = tokens
    self.now = now
    self.tokenLifetime = tokenLifetime
    self.challenge = challenge
    nobodysHash = try? passwords.hash("nobody's password")
  }

  /// An API that knows nobody yet and lasts as long as the process, the same in each run.
  ///
  /// - Parameter now: The time, in milliseconds from any beginning.
  public static func model(now: @escaping @Sendable () -> Int64) -> TodoAPI {
    TodoAPI(
      store: MemoryTodoStore(), passwords: ModelPasswords(), tokens: ModelTokens(), now: now)
  }

  /// Does what a request asks for.
  public func reply(to request: TodoRequest) -> TodoReply {
    do {
      return try answer(request)
    } catch var refusal as Refusal {
      if refusal.status == 401 { refusal.headers["WWW-Authenticate"] = challenge }
      return refusal.reply
    } catch {
      // Nothing of the error: it may say how things are kept, and what.
      return Refusal(500, "the server could not do this").reply
    }
  }

  // MARK: Which request it is

  private func answer(_ request: TodoRequest) throws -> TodoReply {
    guard request.body.count <= Self.longestBody else {
      throw Refusal(413, "the body is larger than 64 KiB")
    }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (parts.first, parts.count) {
    case ("out-of-order", _): throw Refusal(500, "the server is out of order")
    case ("users", 1): return try answer(request, ["POST": signUp])
    case ("login", 1): return try answer(request, ["POST": logIn])
    case ("todos", 1): return try answer(request, ["GET": list, "POST": post])
    case ("todos", 2) where parts.last != "": return try answer(request, ["DELETE": delete])
    default: throw Refusal(404, "there is nothing at this path")
    }
  }

  private func answer(
    _ request: TodoRequest, _ methods: [String: (TodoRequest) throws -> TodoReply]
  ) throws -> TodoReply {
    guard let method = methods[request.method] else {
      let allowed = methods.keys.sorted().joined(separator: ", ")
      throw Refusal(405, "this path takes \(allowed)", headers: ["Allow": allowed])
    }
    return try method(request)
  }

  // MARK: Users and tokens

  private func signUp(_ request: TodoRequest) throws -> TodoReply {
    let fields = try Fields(request)
    let name = try fields.text("name", most: 100)
    let email = try fields.text("email", most: 254)
    let password = try fields.text("password", most: 128)
    guard email.isLikelyAddress else { throw Refusal(400, "email is no e-mail address") }
    guard password.count >= 8 else { throw Refusal(400, "password is shorter than 8 characters") }
    guard try fields.text("verifyPassword", most: 128) == password else {
      throw Refusal(400, "password and verifyPassword differ")
    }
    let hash = try passwords.hash(password)
    guard let user = try store.addUser(name: name, email: email, passwordHash: hash) else {
      throw Refusal(409, "a user with this email exists")
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
      throw Refusal(401, "log in with Basic credentials: email and password")
    }
    guard let nobodysHash else { throw Refusal(500, "the server is out of order") }
    let known = try store.user(email: email)
    // The same work, and the same words, whether the user is not there or the password is wrong:
    // who asks learns nothing of who has signed up.
    let hash = known?.passwordHash ?? nobodysHash
    guard try passwords.verify(password, against: hash), let known else {
      throw Refusal(401, "wrong email or password")
    }
    let token = tokens.makeToken()
    try store.addToken(
      digest: tokens.digest(token), userID: known.user.id, expiry: now() + Int64(lifetime) * 1000)
    return TodoReply(status: 200, Body(expiresIn: lifetime, string: token))
  }

  private func lifetime(_ text: String?) throws -> Int {
    guard let text else { return tokenLifetime }
    guard let seconds = Int(text), seconds > 0 else {
      throw Refusal(400, "expiresIn is no number of seconds")
    }
    return min(seconds, tokenLifetime)
  }

  /// Whose token comes with a request.
  private func userID(_ request: TodoRequest) throws -> Int {
    guard let token = request.bearerToken else {
      throw Refusal(401, "this takes a token: log in first")
    }
    guard let (userID, expiry) = try store.token(digest: tokens.digest(token)) else {
      throw Refusal(401, "the token is not known")
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
    return TodoReply(status: 201, try store.addTodo(title: title, userID: userID))
  }

  private func delete(_ request: TodoRequest) throws -> TodoReply {
    let userID = try userID(request)
    let last = request.path.split(separator: "/").last ?? ""
    guard let id = Int(last), id > 0 else { throw Refusal(404, "there is no such todo") }
    switch try store.deleteTodo(id, userID: userID) {
    case .deleted(let todo): return TodoReply(status: 200, todo)
    case .notThere: throw Refusal(404, "there is no such todo")
    case .notYours: throw Refusal(403, "this todo is somebody else's")
    }
  }
}
