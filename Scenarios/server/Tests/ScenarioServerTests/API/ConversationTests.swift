import Foundation
import FoundationNetworking
import GRDB
import ServerTestSupport
import Testing
import TodoAPI
import TodoConversation

/// Sends the conversation that every implementation of the API must pass, over real HTTP.
@Suite struct ConversationTests {
  @Test func theServerPassesTheConversation() throws {
    let server = try RunningServer()
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    // The step that waits for a token to expire repeats its request until it has.
    let outcomes = try TodoConversation.run { try session.reply(to: $0, of: server.base) }
    for outcome in outcomes where !outcome.isAsExpected { Issue.record("\(outcome)") }
    #expect(outcomes.count == TodoConversation.steps.count)

    // The files contain no secrets.
    let database = try DatabaseQueue(path: server.database)
    let hashes = try database.read { try String.fetchAll($0, sql: "SELECT passwordHash FROM user") }
    #expect(!hashes.isEmpty && hashes.allSatisfy { $0.hasPrefix("$pbkdf2-sha256$i=600000$") })
    #expect(Set(hashes).count == hashes.count)
    let digests = try database.read { try String.fetchAll($0, sql: "SELECT digest FROM token") }
    #expect(!digests.isEmpty && digests.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
    for file in [server.database, server.database + "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      #expect(bytes.range(of: Data("correct horse".utf8)) == nil)
    }
  }

  @Test func onlyTheOwnerCanReadTheFiles() throws {
    let server = try RunningServer()
    for file in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: server.database + file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
  }

  /// The server responds before it has read the whole body.
  @Test func aBodyThatIsMuchTooLongIsRefused() async throws {
    let server = try RunningServer()
    let refused = try await fetch(
      server.base + "/users", method: "POST", headers: ["Content-Type": "application/json"],
      body: Data(repeating: UInt8(ascii: " "), count: 900_000))
    #expect(refused.status == 413)
    #expect(refused.text == #"{"error":true,"reason":"the body is larger than 64 KiB"}"#)
    #expect(refused.error == nil)
  }

  @Test func anUnknownPathIsRefusedByTheAPI() async throws {
    let server = try RunningServer()
    for (method, path) in [("GET", "/nowhere"), ("POST", "/quote"), ("GET", "/todos%2F1/x")] {
      let refused = try await fetch(server.base + path, method: method)
      #expect(refused.status == 404)
      #expect(refused.text == #"{"error":true,"reason":"there's nothing at this path"}"#)
    }
  }
}

extension URLSession {
  /// Sends a request of the API to a server and waits for the response.
  func reply(to request: TodoRequest, of base: String) throws -> TodoReply {
    var components = try #require(URLComponents(string: base))
    components.path = request.path
    if !request.query.isEmpty {
      components.queryItems = request.query.map { URLQueryItem(name: $0.key, value: $0.value) }
    }
    var urlRequest = URLRequest(url: try #require(components.url))
    urlRequest.httpMethod = request.method
    urlRequest.setValue(request.authorization, forHTTPHeaderField: "Authorization")
    urlRequest.setValue(request.contentType, forHTTPHeaderField: "Content-Type")
    if !request.body.isEmpty { urlRequest.httpBody = request.body }

    let received = ReceivedResponse()
    let task = dataTask(with: urlRequest) { data, response, error in
      received.set((data, response, error))
    }
    task.resume()
    let (data, response, error) = try received.wait()
    if let error { throw error }
    let head = try #require(response as? HTTPURLResponse)
    var headers: [String: String] = [:]
    for (name, value) in head.allHeaderFields {
      // Uses the API's spelling, because the session may change it.
      headers["\(name)".lowercased() == "www-authenticate" ? "WWW-Authenticate" : "\(name)"] =
        "\(value)"
    }
    return TodoReply(status: head.statusCode, headers: headers, body: data ?? Data())
  }
}

/// `@unchecked`: the value is set before the signal and read after it.
private final class ReceivedResponse: @unchecked Sendable {
  typealias Value = (Data?, URLResponse?, (any Error)?)
  private var value: Value?
  private let isThere = DispatchSemaphore(value: 0)

  func set(_ value: Value) {
    self.value = value
    isThere.signal()
  }

  func wait() throws -> Value {
    guard isThere.wait(timeout: .now() + .seconds(60)) == .success else {
      throw Program.Failure(description: "the server didn't respond within 60 s")
    }
    return try #require(value)
  }
}
