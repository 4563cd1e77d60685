/// All bad servers, in the order of the page.
let badServers: [BadServer] = [
  // Connections.
  BadServer("refuses connections", "No program listens on the port.", .refuse),
  BadServer(
    "never responds", "It accepts the connection and reads the request, and that's all.",
    stalls: true,
    .respond { $0.waitForClose() }),
  BadServer(
    "closes", "It closes the connection without a response.",
    .respond { $0.close() }),
  BadServer(
    "resets", "It resets the connection (RST) without a response.",
    .respond { $0.reset() }),

  // Heads.
  BadServer(
    "closes within the head", "It closes the connection in the middle of the second header.",
    .respond { $0.send("HTTP/1.1 200 OK\r\nContent-Ty") }),
  BadServer(
    "isn't HTTP", "It sends the greeting of an SSH server.",
    .respond { $0.send("SSH-2.0-OpenSSH_9.6\r\n") }),
  BadServer(
    "endless head", "It sends one header after another, as fast as it can.",
    .respond { connection in
      guard connection.send("HTTP/1.1 200 OK\r\n") else { return }
      connection.sendForever(Array("X-More: \(String(repeating: "x", count: 990))\r\n".utf8))
    }),
  BadServer(
    "drips the head", "It sends the head one byte at a time, ten in a second.", stalls: true,
    .respond { $0.drip(head(200, "OK", ["X-More": String(repeating: "x", count: 10_000)])) }),

  // Statuses.
  BadServer(
    "500", "Each response has the status 500.",
    .respond { $0.send(response(500, "Internal Server Error", "out of order\n")) }),
  BadServer(
    "503", "Each response has the status 503, with `Retry-After`.",
    .respond {
      $0.send(response(503, "Service Unavailable", "busy\n", ["Retry-After": "1"]))
    }),
  BadServer(
    "401 with Basic", "Each response has the status 401 and `WWW-Authenticate: Basic`.",
    .respond {
      $0.send(
        response(
          401, "Unauthorized", "who are you?\n", ["WWW-Authenticate": "Basic realm=\"trial\""]))
    }),
  BadServer(
    "redirects to itself", "Each response has the status 302 and leads to `/loop`.",
    .respond { $0.send(response(302, "Found", "", ["Location": "/loop"])) }),
  BadServer(
    "redirects elsewhere",
    "Each response has the status 302 and leads to another host, where no program listens.",
    .respond {
      $0.send(response(302, "Found", "", ["Location": "http://127.0.0.2:1/elsewhere"]))
    }),
  BadServer(
    "redirects nowhere", "Each response has the status 302 and no `Location`.",
    .respond { $0.send(response(302, "Found", "moved\n")) }),
  BadServer(
    "endless redirect",
    "It sends a 302 that leads to `/elsewhere`, and zeros as fast as it can, without an end.",
    stalls: true,
    .respond { connection in
      guard connection.send(head(302, "Found", ["Location": "/elsewhere"])) else { return }
      connection.sendForever([UInt8](repeating: UInt8(ascii: "0"), count: 65_536))
    }),

  // Bodies.
  BadServer(
    "is another web server", "Each response has the status 200 and a page of HTML.",
    .respond { $0.send(response(200, "OK", "<h1>It works</h1>\n", ["Content-Type": "text/html"])) }
  ),
  BadServer(
    "wrong JSON", "Each response has the status 200 and JSON of another service.",
    .respond {
      $0.send(
        response(200, "OK", #"{"service": "parcels"}"#, ["Content-Type": "application/json"]))
    }),
  BadServer(
    "closes within the body", "It promises 1,000 bytes and closes the connection after 11.",
    .respond {
      $0.send(head(200, "OK", ["Content-Type": "application/json", "Content-Length": "1000"]))
      $0.send(#"{"service":"#)
    }),
  BadServer(
    "malformed chunks", "The body is chunked, and the length of a chunk isn't a number.",
    .respond {
      $0.send(
        head(200, "OK", ["Content-Type": "application/json", "Transfer-Encoding": "chunked"]))
      $0.send("eleven\r\n{\"service\":\r\n0\r\n\r\n")
    }),
  BadServer(
    "isn't gzip", "It says `Content-Encoding: gzip`, and sends plain text.",
    .respond {
      $0.send(
        response(
          200, "OK", #"{"service": "stream-scenarios"}"#,
          ["Content-Type": "application/json", "Content-Encoding": "gzip"]))
    }),
  BadServer(
    "drips the body", "It sends the body one byte at a time, ten in a second, without an end.",
    stalls: true,
    .respond {
      $0.send(head(200, "OK", ["Content-Type": "application/json"]))
      $0.drip(String(repeating: " ", count: 10_000))
    }),
  BadServer(
    "endless body", "It sends zeros as fast as it can, without an end.",
    .respond {
      $0.send(head(200, "OK", ["Content-Type": "application/json"]))
      $0.sendForever([UInt8](repeating: UInt8(ascii: "0"), count: 65_536))
    }),
  BadServer(
    "endless trailers", "It sends one trailer after another, as fast as it can.", stalls: true,
    .respond { connection in
      let head = head(
        200, "OK", ["Content-Type": "application/json", "Transfer-Encoding": "chunked"])
      guard connection.send("\(head)2\r\n{}\r\n0\r\n") else { return }
      connection.sendForever(Array(String(repeating: "X: y\r\n", count: 10_000).utf8))
    }),
]

/// The response that a scenario's check at the start expects.
let rightResponse = response(
  200, "OK", #"{"service": "stream-scenarios"}"#, ["Content-Type": "application/json"])

/// Returns the head of a response. Each connection carries one request, so no scenario meets a
/// connection that was reused.
private func head(_ status: Int, _ reason: String, _ headers: [String: String]) -> String {
  let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
  return "HTTP/1.1 \(status) \(reason)\r\nConnection: close\r\n\(lines.joined())\r\n"
}

private func response(
  _ status: Int, _ reason: String, _ body: String, _ headers: [String: String] = [:]
) -> String {
  let common = ["Content-Type": "text/plain", "Content-Length": "\(body.utf8.count)"]
  return head(status, reason, common.merging(headers) { $1 }) + body
}
