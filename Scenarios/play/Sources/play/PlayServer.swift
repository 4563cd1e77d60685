import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page, to this machine only, at an address that others can't guess.
struct PlayServer {
  private let server: HTTPServer
  private let token = UUID().uuidString.lowercased()

  private let stage: Stage
  private let performer: Performer
  private let port: UInt16

  init(stage: Stage, performer: Performer, port: UInt16) throws {
    server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    (self.stage, self.performer, self.port) = (stage, performer, port)
  }

  /// Serves until the task is cancelled.
  func run() async throws {
    let token = token
    await server.appendRoute(HTTPRoute("GET /\(token)/")) { request in
      guard Self.isForThisMachine(request) else { return HTTPResponse(statusCode: .forbidden) }
      let page = try PlayPage.html(live: "/\(token)/live")
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/html; charset=utf-8"],
        body: Data(page.utf8))
    }
    let socket = WebSocketHTTPHandler(
      handler: MessageFrameWSHandler(handler: PageSocket(stage: stage, performer: performer)))
    await server.appendRoute(HTTPRoute("GET /\(token)/live")) { request in
      // A page of another site may open a WebSocket too, but it can't hide where it comes from.
      guard Self.isForThisMachine(request), let host = request.headers[.host],
        request.headers[HTTPHeader("Origin")] == "http://\(host)"
      else { return HTTPResponse(statusCode: .forbidden) }
      return try await socket.handleRequest(request)
    }
    do {
      try await server.run()
    } catch SocketError.failed(_, errno: EADDRINUSE, _) {
      throw PlayError("port \(port) is in use. Choose another one, or 0 for a free one")
    }
  }

  /// Whether a browser asks for this machine by a name that always means this machine. Another name
  /// may be made to point here. The port may be another one, if it's forwarded to this one.
  private static func isForThisMachine(_ request: HTTPRequest) -> Bool {
    let host = request.headers[.host]?.replacing(/:[0-9]+$/, with: "")
    return ["127.0.0.1", "localhost", "[::1]"].contains(host)
  }

  /// The address of the page, once the server listens.
  func address() async throws -> String {
    try await server.waitUntilListening()
    guard case .ip4(_, let port) = await server.listeningAddress else { return "" }
    return "http://127.0.0.1:\(port)/\(token)/"
  }
}

/// Passes messages between a page and the program.
private struct PageSocket: WSMessageHandler {
  let stage: Stage
  let performer: Performer

  func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
    let messages = await stage.open()
    return AsyncStream { continuation in
      let sending = Task {
        for await text in messages { continuation.yield(.text(text)) }
        continuation.finish()
      }
      let receiving = Task {
        for await message in client {
          if case .text(let line) = message { await performer.ask(line) }
        }
        sending.cancel()
        continuation.finish()
      }
      continuation.onTermination = { _ in
        sending.cancel()
        receiving.cancel()
      }
    }
  }
}
