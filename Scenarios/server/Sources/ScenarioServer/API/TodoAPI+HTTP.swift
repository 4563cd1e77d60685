import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOPosix
import TodoAPI

extension TodoAPI {
  /// Returns the response to an HTTP request.
  ///
  /// Hashing and the database block, so they run on a thread pool and not on the threads that serve
  /// connections.
  func response(to request: Request) async throws -> Response {
    let todoRequest = try await TodoRequest(request)
    let reply = try await NIOThreadPool.singleton.runIfActive { self.reply(to: todoRequest) }
    var headers: HTTPFields = [.contentType: TodoReply.contentType]
    for (name, value) in reply.headers {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return Response(
      status: .init(code: reply.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
  }
}

extension TodoRequest {
  init(_ request: Request) async throws {
    // One byte too many is enough for the API to refuse a body. Some more is read and dropped,
    // because a client that's still sending might not read the response.
    var body = Data()
    var count = 0
    for try await buffer in request.body {
      count += buffer.readableBytes
      body += buffer.readableBytesView.prefix(TodoAPI.longestBody + 1 - body.count)
      if count > 16 * TodoAPI.longestBody { break }
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
