import Foundation

/// What the API answers to a request.
public struct TodoReply: Hashable, Sendable {
  /// The status code.
  public var status: Int

  /// Header fields beside those that say what the body is.
  public var headers: [String: String]

  /// The body: JSON, with its keys in alphabetical order.
  public var body: Data

  /// The `Content-Type` of every body.
  public static let contentType = "application/json"

  /// Makes a reply, such as one that came over a network.
  public init(status: Int, headers: [String: String] = [:], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  init(status: Int, headers: [String: String] = [:], _ value: some Encodable) {
    self.status = status
    self.headers = headers
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values of the API's own types, of numbers and texts, can all be encoded.
    body = (try? encoder.encode(value)) ?? Data("{}".utf8)
  }
}

extension TodoReply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status: the body may hold a token.
  public var description: String { "\(status)" }

  /// The status.
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` shows no secret either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a request is not done, as an error and as the reply that it becomes.
struct Refusal: Error {
  let status: Int
  let reason: String
  var headers: [String: String] = [:]

  init(_ status: Int, _ reason: String, headers: [String: String] = [:]) {
    self.status = status
    self.reason = reason
    self.headers = headers
  }

  var reply: TodoReply {
    struct Body: Encodable {
      let error = true
      let reason: String
    }
    return TodoReply(status: status, headers: headers, Body(reason: reason))
  }
}
