import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TodoAPI

extension TodoReply {
  /// The reply as an HTTP response.
  var response: Response {
    var fields: HTTPFields = [.contentType: TodoReply.contentType]
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return Response(
      status: .init(code: status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
