/// The reason why a request is refused before its end. `RequestGate` responds with it.
struct RefusedRequest: Error {
  let status: Int
  let reason: String

  static let invalid = RefusedRequest(status: 400, reason: "this isn't a valid HTTP/1.1 request")

  static let host = RefusedRequest(
    status: 400, reason: "an HTTP/1.1 request needs one Host field, with a host in it")

  static let coding = RefusedRequest(
    status: 501, reason: "the only Transfer-Encoding that this server knows is chunked")

  static func body(_ limits: Limits) -> RefusedRequest {
    RefusedRequest(status: 413, reason: "the body is larger than \(limits.bodyBytes >> 10) KiB")
  }
}
