import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page, to this machine only, at an address that others can't guess.
struct PlayServer {
  private let server: HTTPServer
  private let token = UUID().uuidString.lowercased()

  init(stage: Stage, performer: Performer, port: UInt16) throws {
    server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
    self.stage = stage
    self.performer = performer
  }

  private let stage: Stage
  private let performer: Performer

  func run() async throws {
    let token = token
    await server.appendRoute(HTTPRoute("GET /\(token)/")) { _ in
      let page = try PlayPage.html(live: "/\(token)/live")
      return HTTPResponse(
        statusCode: .ok, headers: [.contentType: "text/html; charset=utf-8"],
        body: Data(page.utf8))
    }
    let socket = WebSocketHTTPHandler(
      handler: MessageFrameWSHandler(handler: PageSocket(stage: stage, performer: performer)))
    let server = server
    await server.appendRoute(HTTPRoute("GET /\(token)/live")) { request in
      // A page of another site may guess neither the address nor these.
      guard let host = request.headers[.host], let origin = request.headers[HTTPHeader("Origin")],
        origin == "http://\(host)",
        ["127.0.0.1", "localhost"].contains(host.split(separator: ":")[0])
      else { return HTTPResponse(statusCode: .forbidden) }
      return try await socket.handleRequest(request)
    }
    try await server.run()
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
