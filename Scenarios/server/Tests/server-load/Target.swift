import Foundation
import FoundationNetworking
import ServerTestSupport
import Synchronization

/// The server under load, its accounts, and the requests that are measured.
struct Target {
  let server: RunningServer
  let folder: TemporaryFolder
  /// Has some todos, and adds none.
  private let reader: String
  private let empty: String
  private let todo: String

  /// The accounts that log in, and the addresses of their clients.
  static let clients = 8
  private static let password = "a right password"

  /// Starts a server and signs the users up.
  ///
  /// - Parameter logsIn: Whether there are accounts for ``logins(_:)``. They take time to sign up.
  init(logsIn: Bool) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    server = try Interruption.startServer()
    func file(_ name: String, _ content: String) throws -> String {
      let path = folder.path(name)
      try content.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    empty = try file("empty.json", "{}")
    todo = try file("todo.json", #"{"title": "Sort the cards"}"#)
    reader = try Self.token("reader@load.test", at: server.base)
    for number in 1...10 {
      let body = #"{"title": "Card \#(number)"}"#
      _ = try Self.post("/todos", at: server.base, authorization: reader, body: body, expect: 201)
    }
    for number in 1...Self.clients where logsIn {
      // From the client's own address.
      let body = try file("user-\(number).json", Self.user("client-\(number)@load.test"))
      let sample = try ApacheBench(
        request: Request(url: server.base + "/users", body: body), address: "127.0.3.\(number)",
        connections: 1, bounds: .init(requests: 1, seconds: 30)
      )
      .run(in: folder)
      guard sample.statuses == [201: 1] else {
        throw Program.Failure(description: "a sign-up failed: \(sample.outcome)")
      }
    }
  }

  /// Returns clients that read todos, write them, or log in, with a number of connections together.
  ///
  /// Those that write have a new account, because the number of its todos is limited.
  func clients(
    _ endpoint: Endpoint, connections: Int, bounds: ApacheBench.Bounds
  ) throws -> [ApacheBench] {
    switch endpoint {
    case .read, .write:
      var request = Request(url: server.base + "/todos", authorization: reader)
      if endpoint == .write {
        let email = "writer-\(UUID().uuidString)@load.test"
        request.authorization = try Self.token(email, at: server.base)
        request.body = todo
      }
      return [
        ApacheBench(
          request: request, address: "127.0.1.1", connections: connections, bounds: bounds)
      ]
    case .logIn:
      let count = min(connections, Self.clients)
      return (1...count).map { number in
        ApacheBench(
          request: login(Request.basic("client-\(number)@load.test", Self.password)),
          address: "127.0.3.\(number)", connections: connections / count, bounds: bounds)
      }
    }
  }

  func login(_ authorization: String) -> Request {
    Request(url: server.base + "/login", authorization: authorization, body: empty)
  }

  // MARK: Setting up

  private static func user(_ email: String) -> String {
    #"{"name": "A", "email": "\#(email)", "password": "\#(password)", "#
      + #""verifyPassword": "\#(password)"}"#
  }

  /// Signs a user up and logs in.
  ///
  /// - Returns: The header field `Authorization` with the token.
  private static func token(_ email: String, at base: String) throws -> String {
    _ = try post("/users", at: base, authorization: nil, body: user(email), expect: 201)
    let login = try post(
      "/login", at: base, authorization: Request.basic(email, password), body: "{}", expect: 200)
    struct Token: Decodable { let string: String }
    return "Bearer " + (try JSONDecoder().decode(Token.self, from: login).string)
  }

  private static func post(
    _ path: String, at base: String, authorization: String?, body: String, expect expected: Int
  ) throws -> Data {
    guard let url = URL(string: base + path) else {
      throw Program.Failure(description: "\(base) isn't a URL")
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let authorization { request.setValue(authorization, forHTTPHeaderField: "Authorization") }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let outcome = Mutex<(status: Int?, body: Data, error: String?)>((nil, Data(), nil))
    let done = DispatchSemaphore(value: 0)
    session.dataTask(with: request) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode
      outcome.withLock { $0 = (status, data ?? Data(), error.map { $0.localizedDescription }) }
      done.signal()
    }
    .resume()
    done.wait()
    let (status, data, error) = outcome.withLock { $0 }
    guard status == expected else {
      throw Program.Failure(
        description: "POST \(path): expected \(expected), got "
          + "\(status.map { "\($0)" } ?? error ?? "no response"): "
          + String(decoding: data, as: UTF8.self))
    }
    return data
  }
}

/// A kind of request that is measured.
enum Endpoint: String, CaseIterable, Sendable {
  case read = "GET /todos"
  case write = "POST /todos"
  case logIn = "POST /login"
}
