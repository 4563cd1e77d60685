import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TodoAPI

extension TodoRequest {
  /// Reads a request, with its whole body.
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
