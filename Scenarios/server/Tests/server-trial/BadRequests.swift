import Foundation
import ServerTestSupport

/// A request that no client should send.
struct BadRequest: Sendable {
  /// What's wrong with it, in a few words.
  let name: String
  let text: String
}

/// All bad requests, in the order of the page.
let badRequests: [BadRequest] = [
  BadRequest(name: "no `Host`", text: "GET /headline HTTP/1.1\r\n\r\n"),
  BadRequest(name: "two `Host` fields", text: head("Host: a", "Host: b") + "\r\n"),
  BadRequest(name: "`Host: a/b`, which isn't a host", text: head("Host: a/b") + "\r\n"),
  BadRequest(
    name: "`Transfer-Encoding: gzip, chunked`",
    text: head("Host: a", "Transfer-Encoding: gzip, chunked") + "\r\n0\r\n\r\n"),
  BadRequest(
    name: "`Transfer-Encoding: gzip`", text: head("Host: a", "Transfer-Encoding: gzip") + "\r\n"),
  BadRequest(
    name: "`Transfer-Encoding` and `Content-Length`",
    text: head("Host: a", "Transfer-Encoding: chunked", "Content-Length: 5") + "\r\n0\r\n\r\n"),
  BadRequest(
    name: "a chunk of 2^63 bytes",
    text: head("Host: a", "Transfer-Encoding: chunked") + "\r\n8000000000000000\r\n"),
  BadRequest(
    name: "a chunk whose size isn't a number",
    text: head("Host: a", "Transfer-Encoding: chunked") + "\r\nzz\r\n"),
  BadRequest(
    name: "two different lengths",
    text: head("Host: a", "Content-Length: 4", "Content-Length: 5") + "\r\n12345"),
  BadRequest(name: "a length below zero", text: head("Host: a", "Content-Length: -1") + "\r\n"),
  BadRequest(name: "a field without a colon", text: head("Host: a", "no colon") + "\r\n"),
  BadRequest(name: "a NUL in a field", text: head("Host: a", "A: b\0c") + "\r\n"),
  BadRequest(name: "the preface of HTTP/2", text: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  BadRequest(name: "the greeting of TLS", text: "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}"),
  BadRequest(name: "101 fields", text: head("Host: a") + lines("A: a", count: 100) + "\r\n"),
]

private func head(_ fields: String...) -> String {
  "GET /headline HTTP/1.1\r\n" + fields.map { "\($0)\r\n" }.joined()
}

private func lines(_ text: String, count: Int) -> String {
  String(repeating: "\(text)\r\n", count: count)
}

/// What the server responds to bad requests, for its page.
struct BadRequestTable {
  static let block = PageBlock("bad-requests")

  private(set) var rows: [[String]] = []
  private(set) var problems: [String] = []

  /// Starts a server, and sends each request on a connection of its own.
  init(_ requests: [BadRequest] = badRequests) throws {
    let server = try RunningServer()
    for request in requests {
      let connection = try RawConnection(to: server.base)
      connection.send(request.text)
      let received = connection.read(patience: 10_000)
      guard received.end == .closed, let status = Int(received.summary.prefix(3)), status >= 400
      else {
        problems.append(
          "\(request.name): expected a refusal, and got \(received.summary) (\(received.end))")
        continue
      }
      struct Refusal: Decodable { let reason: String }
      let body = Data(received.summary.dropFirst(4).utf8)
      let reason = (try? JSONDecoder().decode(Refusal.self, from: body))?.reason ?? "no reason"
      rows.append([request.name, "\(status): \(reason)"])
    }
  }

  var lines: [String] {
    PageTable([.left("The request has"), .left("The response")], rows: rows).lines
  }

  /// - Parameter page: The whole page.
  /// - Returns: A line if the page has another table.
  func difference(from page: String) throws -> String? {
    try Self.block.replacing(in: page, with: lines) == page
      ? nil : "Results/bad-servers.md has another table of bad requests"
  }
}
