import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TodoAPI

/// Hummingbird's context of a request, plus the request's connection, which some paths reset.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// Responds from the script if it has the path, and from the API otherwise.
struct Responder: HTTPResponder {
  let script: Script
  let service: TodoService

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    var response = try await makeResponse(to: request, on: context.channel)
    // Tells the client what `OneRequest` does.
    response.headers[.connection] = "close"
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func makeResponse(to request: Request, on channel: any Channel) async throws -> Response {
    let run = HTTPField.Name("Scenario-Run").flatMap { request.headers[$0] }
    if request.method == .get || request.method == .head,
      let response = script.response(to: request.uri, run: run)
    {
      return try await response.makeResponse(on: channel)
    }
    return try await service.reply(to: TodoRequest(request)).response
  }
}

extension TodoRequest {
  /// Reads a request, with its body.
  fileprivate init(_ request: Request) async throws {
    var body = Data()
    for try await buffer in request.body {
      body += buffer.readableBytesView
      // The API refuses it. The rest of a body that's too large isn't read.
      if body.count > TodoAPI.longestBody { break }
    }
    let query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    self.init(
      method: request.method.rawValue,
      path: request.uri.path.removingPercentEncoding ?? request.uri.path,
      query: Dictionary(query) { _, last in last },
      authorization: request.headers[.authorization],
      contentType: request.headers[.contentType], body: body)
  }
}

extension TodoReply {
  /// The reply as an HTTP response.
  fileprivate var response: Response {
    var fields: HTTPFields = [.contentType: TodoReply.contentType]
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return Response(
      status: .init(code: status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
