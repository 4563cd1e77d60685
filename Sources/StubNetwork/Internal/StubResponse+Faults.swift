import Foundation
import VirtualTime

extension StubResponse {
  /// The same response with something going wrong, as the server or a proxy would send it.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - method: The method of the request.
  ///   - scheme: The scheme of its URL.
  func with(
    _ fault: NetworkFault.Kind, to method: String? = nil, scheme: String? = "https"
  ) -> StubResponse {
    changed(by: fault, scheme).received(by: method)
  }

  private func changed(by fault: NetworkFault.Kind, _ scheme: String?) -> StubResponse {
    let first = steps[0].delay
    switch fault {
    case .refused:
      return .failure(.cannotConnectToHost, after: first)
    case .timedOut:
      return .failure(.timedOut, after: .seconds(60))
    case .lost(let limit):
      return cut(after: limit).afterUpload(upload)
    case .status(let status):
      return mapped { step in
        guard case .response(let old, let headers, _) = step, old != status else { return step }
        return .response(status: status, headers: self.headers(headers, with: status))
      }
    case .malformedBody:
      let page = page("Something went wrong.", status: errorStatus ?? 200)
      return hasStatus ? page.afterUpload(upload) : self
    case .captivePortal:
      guard scheme?.lowercased() == "http" else {
        return .failure(.serverCertificateUntrusted, after: first)
      }
      return page("Log in to use this network.", from: Self.loginPage).afterUpload(upload)
    case .emptyBody:
      return hasStatus ? withoutBody.afterUpload(upload) : self
    case .slow(let times):
      return StubResponse(steps.map { ($0.delay * .seconds(times), $0.step) })
        .afterUpload(upload?.slower(times))
    }
  }

  /// The page of a proxy or a portal, which has headers of its own and doesn't know those of the
  /// server. It's a success, such as a login page, or the page of the same error.
  private func page(_ text: String, status: Int = 200, from url: URL? = nil) -> StubResponse {
    let page = Data("<html>\(text)</html>".utf8)
    let headers = ["Content-Type": "text/html", "Content-Length": "\(page.count)"]
    return StubResponse([
      (steps[0].delay, .response(status: status, headers: headers, from: url)),
      (.zero, .chunk(page)), (timeOfBody, .finish),
    ])
  }

  private static let loginPage = URL(string: "http://portal.example/login")

  /// How long the body takes. Another one is complete at the same time, so that a fault doesn't
  /// make a response faster.
  private var timeOfBody: VirtualTime.Interval {
    steps.dropFirst().reduce(.zero) { $0 + $1.delay }
  }

  private var errorStatus: Int? {
    guard case .response(let status, _, _) = steps[0].step, status >= 400 else { return nil }
    return status
  }

  /// The headers of an error. It has the body of the success, and the fields that describe it. But
  /// it must not log anyone in, because the session keeps cookies by itself, whatever the status.
  private func headers(_ headers: [String: String], with status: Int) -> [String: String] {
    var error = headers.removing("Set-Cookie")
    // A response that has no body may have the length of one.
    if !breaksOff, headers.value(of: "Content-Length") != nil {
      error = error.removing("Content-Length").adding("Content-Length", "\(byteCount)")
    }
    switch status {
    case 401: return error.removing("WWW-Authenticate").adding("WWW-Authenticate", "Bearer")
    case 429, 503: return error.removing("Retry-After").adding("Retry-After", "5")
    default: return error
    }
  }

  private var withoutBody: StubResponse {
    let whole = mapped { step in
      guard case .response(let status, let headers, _) = step,
        headers.value(of: "Content-Length") != nil
      else { return step }
      return .response(
        status: status,
        headers: headers.removing("Content-Length").adding("Content-Length", "0"))
    }
    return StubResponse([whole.steps[0], (timeOfBody, .finish)])
  }

  private func mapped(_ change: (Step) -> Step) -> StubResponse {
    StubResponse(steps.map { ($0.delay, change($0.step)) }).afterUpload(upload)
  }

  /// The same response, whose connection breaks after some bytes of the body.
  private func cut(after limit: Int) -> StubResponse {
    // A body with a length is complete without an end.
    if case .response(_, let headers, _) = steps[0].step,
      headers.value(of: "Content-Length") != nil,
      limit >= byteCount
    {
      return self
    }
    var rest = limit
    var cut: [(delay: VirtualTime.Interval, step: Step)] = []
    for (delay, step) in steps {
      guard case .chunk(let data) = step else {
        if step.isEnd { break }
        cut.append((delay, step))
        continue
      }
      if rest > 0 { cut.append((delay, .chunk(data.prefix(rest)))) }
      rest -= data.count
      if rest <= 0 { break }
    }
    return StubResponse(cut + [(.zero, .fail(.networkConnectionLost))])
  }
}

extension StubResponse.Step {
  fileprivate var isEnd: Bool {
    switch self {
    case .finish, .fail: true
    case .sent, .response, .chunk: false
    }
  }
}
