import Foundation
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Something that goes wrong with a request, or with all from one on, although its stub has a
/// response.
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
    /// takes it for a success. It sets no cookies. A 401 also has `WWW-Authenticate: Bearer`, and a
    /// 429 or a 503 has `Retry-After: 5`.
    case status(Int)

    /// A proxy responds with a page of HTML and headers of its own. The status is 200, or that of
    /// an error.
    case malformedBody

    /// The network has a login page, as in a hotel. A plain `http` request is redirected there, so
    /// its response is a page of HTML with the page's URL and status 200. The portal doesn't have
    /// the server's certificate, so an `https` request fails with `serverCertificateUntrusted`.
    ///
    /// That's the code on Apple's systems. A real session on Linux reports `unknown`, whatever is
    /// wrong with a certificate.
    case captivePortal

    /// The body has no bytes, and a `Content-Length` is zero.
    case emptyBody

    /// Everything takes as many times as long.
    case slow(times: Int)
  }

  /// The number of the request, from 1 in the order in which requests are made.
  public let request: Int

  /// What goes wrong.
  public let kind: Kind

  /// Whether all later requests have it too, as in an outage.
  public let isLasting: Bool

  /// Makes a fault.
  ///
  /// - Parameters:
  ///   - request: The number of the request.
  ///   - kind: What goes wrong.
  ///   - isLasting: Whether all later requests have the fault too.
  public init(request: Int, _ kind: Kind, isLasting: Bool = false) {
    (self.request, self.kind, self.isLasting) = (request, kind, isLasting)
  }

  /// The same fault of this request and of all later ones.
  public var lasting: NetworkFault { NetworkFault(request: request, kind, isLasting: true) }

  /// The same fault of this request only.
  package var once: NetworkFault { NetworkFault(request: request, kind) }

  /// Whether a request has it.
  func happens(to number: Int) -> Bool { isLasting ? number >= request : number == request }

  /// All faults that a request with a response can have: each kind once, the connection lost in the
  /// middle of the body, and a response that's twice and ten times as late.
  package static func all(of request: Int, _ response: StubResponse) -> [NetworkFault] {
    var kinds: [Kind] = [.refused, .timedOut]
    if response.hasStatus {
      let bytes = response.byteCount
      if bytes > 1 { kinds.append(.lost(afterBytes: bytes / 2)) }
      kinds += statuses.map(Kind.status).filter { response.with($0) != response }
      kinds += [.malformedBody, .captivePortal]
      if bytes > 0 { kinds.append(.emptyBody) }
    }
    if response.takesTime { kinds += [.slow(times: 2), .slow(times: 10)] }
    return kinds.map { NetworkFault(request: request, $0) }
  }

  /// Those that clients treat in different ways: log in, give up, wait, try again.
  private static let statuses = [401, 403, 404, 429, 500, 503]
}

extension NetworkFault: CustomStringConvertible {
  /// The request and its fault, such as `request 2 is refused`, or `from request 2 on, each request
  /// is refused`.
  public var description: String {
    isLasting ? "from request \(request) on, each request \(kind)" : "request \(request) \(kind)"
  }
}

extension NetworkFault.Kind: CustomStringConvertible {
  /// What happens, such as `is refused` or `gets a 500`.
  public var description: String {
    switch self {
    case .refused: "is refused"
    case .timedOut: "times out"
    case .lost(let bytes): "is lost after \(bytes) \(bytes == 1 ? "byte" : "bytes")"
    case .status(let status): "gets a \(status)"
    case .malformedBody: "gets a page of HTML"
    case .captivePortal: "meets a captive portal"
    case .emptyBody: "gets an empty body"
    case .slow(let times): times == 2 ? "is twice as late" : "is \(times) times as slow"
    }
  }
}
