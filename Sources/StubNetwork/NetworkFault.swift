import Foundation
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Something that goes wrong with one request, although its stub has a response.
public struct NetworkFault: Hashable, Sendable {
  /// The kinds of faults.
  public enum Kind: Hashable, Sendable {
    /// The server can't be reached. The request fails with `cannotConnectToHost` when its response
    /// would come.
    case refused

    /// Nothing comes until the request's timeout, and at most for 60 seconds.
    case timedOut

    /// The connection breaks after some bytes of the body, whose `Content-Length` stays. If all
    /// promised bytes have arrived, nothing is lost.
    case lost(afterBytes: Int)

    /// The response has another status, and the same body, so code that doesn't look at the status
    /// takes it for a success. It sets no cookies. A 503 also has `Retry-After: 5`.
    case status(Int)

    /// A proxy responds with a page of HTML and headers of its own. The status is 200, or that of
    /// an error.
    case malformedBody

    /// The body has no bytes, and a `Content-Length` is zero.
    case emptyBody

    /// Everything takes as many times as long.
    case slow(times: Int)
  }

  /// The number of the request, from 1 in the order in which requests are made.
  public let request: Int

  /// What goes wrong.
  public let kind: Kind

  /// Makes a fault.
  public init(request: Int, _ kind: Kind) { (self.request, self.kind) = (request, kind) }

  /// All faults that a request with a response can have: each kind once, the connection lost in the
  /// middle of the body, and a response that's twice and ten times as late.
  package static func all(of request: Int, _ response: StubResponse) -> [NetworkFault] {
    var kinds: [Kind] = [.refused, .timedOut]
    if response.hasStatus {
      let bytes = response.byteCount
      if bytes > 1 { kinds.append(.lost(afterBytes: bytes / 2)) }
      kinds += [.status(500), .status(503), .malformedBody]
      if bytes > 0 { kinds.append(.emptyBody) }
    }
    if response.takesTime { kinds += [.slow(times: 2), .slow(times: 10)] }
    return kinds.map { NetworkFault(request: request, $0) }
  }
}

extension NetworkFault: CustomStringConvertible {
  /// The request and its fault, such as `request 2 is refused`.
  public var description: String { "request \(request) \(kind)" }
}

extension NetworkFault.Kind: CustomStringConvertible {
  /// What happens, such as `is refused` or `gets a 500`.
  public var description: String {
    switch self {
    case .refused: "is refused"
    case .timedOut: "times out"
    case .lost(let bytes): "is lost after \(bytes) \(bytes == 1 ? "byte" : "bytes")"
    case .status(503): "gets a 503 with Retry-After"
    case .status(let status): "gets a \(status)"
    case .malformedBody: "gets a page of HTML"
    case .emptyBody: "gets an empty body"
    case .slow(let times): times == 2 ? "is twice as late" : "is \(times) times as slow"
    }
  }
}
