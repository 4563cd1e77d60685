import Foundation

/// The API's response to a request.
public struct TodoReply: Hashable, Sendable {
  /// The status code.
  public var status: Int

  /// Header fields in addition to those that describe the body.
  public var headers: [String: String]

  /// The body: JSON, with its keys in alphabetical order.
  public var body: Data

  /// The `Content-Type` of every body.
  public static let contentType = "application/json"

  /// Makes a reply, such as one that a client received.
  public init(status: Int, headers: [String: String] = [:], body: Data) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes the reply to a request that is refused.
  ///
  /// - Parameters:
  ///   - status: The status, 400 or more.
  ///   - reason: Why it's refused, for the client's user.
  ///   - headers: Header fields in addition to those that describe the body.
  public static func refusal(
    _ status: Int, _ reason: String, headers: [String: String] = [:]
  ) -> TodoReply {
    Refusal(status, reason, headers: headers).reply
  }

  init(status: Int, headers: [String: String] = [:], _ value: some Encodable) {
    self.status = status
    self.headers = headers
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // This can't fail, because the API's own types contain only numbers and texts.
    body = (try? encoder.encode(value)) ?? Data("{}".utf8)
  }
}

extension TodoReply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status alone, because the body may contain a token.
  public var description: String { "\(status)" }

  /// The status.
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` reveals no secrets either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why a request is refused. An error that becomes the reply.
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
