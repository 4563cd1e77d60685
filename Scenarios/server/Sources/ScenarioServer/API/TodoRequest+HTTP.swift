import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import TodoAPI

extension TodoRequest {
  /// Reads a request, with its whole body.
  init(_ request: Request) async throws {
    // `RequestGate` has refused a body that's too large.
    var body = Data()
    for try await buffer in request.body { body += buffer.readableBytesView }
    let query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    self.init(
      method: request.method.rawValue,
      path: request.uri.path.removingPercentEncoding ?? request.uri.path,
      query: Dictionary(query) { _, last in last },
      authorization: request.headers[.authorization],
      contentType: request.headers[.contentType], body: body)
  }
}
