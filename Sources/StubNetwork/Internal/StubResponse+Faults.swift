import Foundation
import VirtualTime

extension StubResponse {
  /// The same response with something going wrong, as the server or a proxy would send it.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong.
  ///   - method: The method of the request.
  func with(_ fault: NetworkFault.Kind, to method: String?) -> StubResponse {
    changed(by: fault).received(by: method)
  }

  private func changed(by fault: NetworkFault.Kind) -> StubResponse {
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
        guard case .response(_, let headers) = step else { return step }
        return .response(status: status, headers: self.headers(headers, with: status))
      }
    case .malformedBody:
      return hasStatus ? page.afterUpload(upload) : self
    case .emptyBody:
      return hasStatus ? withoutBody.afterUpload(upload) : self
    case .slow(let times):
      return StubResponse(steps.map { ($0.delay * .seconds(times), $0.step) })
        .afterUpload(upload?.slower(times))
    }
  }

  /// The page of a proxy, which has headers of its own and doesn't know those of the server. It's a
  /// success, such as a login page, or the page of the same error.
  private var page: StubResponse {
    let page = Data("<html>Something went wrong.</html>".utf8)
    let head = StubResponse.data(
      page, type: "text/html", status: errorStatus ?? 200,
      headers: ["Content-Length": "\(page.count)"])
    return StubResponse([
      (steps[0].delay, head.steps[0].step), (.zero, .chunk(page)), (timeOfBody, .finish),
    ])
  }

  /// How long the body takes. Another one is complete at the same time, so that a fault doesn't
  /// make a response faster.
  private var timeOfBody: VirtualTime.Interval {
    steps.dropFirst().reduce(.zero) { $0 + $1.delay }
  }

  private var errorStatus: Int? {
    guard case .response(let status, _) = steps[0].step, status >= 400 else { return nil }
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
    if status == 503 { error = error.removing("Retry-After").adding("Retry-After", "5") }
    return error
  }

  private var withoutBody: StubResponse {
    let whole = mapped { step in
      guard case .response(let status, let headers) = step,
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
    if case .response(_, let headers) = steps[0].step, headers.value(of: "Content-Length") != nil,
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
