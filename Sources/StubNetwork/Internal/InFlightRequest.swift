import Foundation
import Streams
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request between its start and the end of its response.
///
/// It waits for the due time of its next step. While its task is suspended, it keeps the rest of
/// the wait for later. At most one step is on the clock, so one token is enough to cancel. A
/// request that waits for connectivity has no response yet and nothing on the clock.
struct InFlightRequest {
  /// A call to the session's client.
  enum Call {
    case response(HTTPURLResponse)
    case data(Data)
    /// The end of the body. A task without a streaming delegate gets the joined chunks with it.
    case finish(joined: Data?)
    case fail(URLError.Code)
  }

  private enum Phase {
    case waiting(due: VirtualTime, any Cancellable)
    case suspended(remaining: VirtualTime.Interval)
  }

  let number: Int
  let stub: StubURLProtocol
  /// The request. A body stream has been read into `httpBody`.
  let request: URLRequest
  private let isStreaming: Bool
  /// The response; `nil` until the request is sent.
  private var response: StubResponse?
  private var stepsDone = 0
  private var phase = Phase.suspended(remaining: .zero)
  private var joined = Data()

  /// The number of body bytes delivered so far.
  private(set) var bytes = 0

  init(number: Int, stub: StubURLProtocol, request: URLRequest, isStreaming: Bool) {
    self.number = number
    self.stub = stub
    self.request = request
    self.isStreaming = isStreaming
  }

  /// Whether the request still has to be sent, because it waits for connectivity.
  var isUnsent: Bool { response == nil }

  /// How long to wait for the next step; `nil` if that step is on the clock already, or if the
  /// request is unsent.
  var remaining: VirtualTime.Interval? {
    guard response != nil, case .suspended(let remaining) = phase else { return nil }
    return remaining
  }

  /// Gives the request its response, or replaces the rest of the response it has.
  ///
  /// If nothing comes for the request's `timeoutInterval`, it fails with `URLError.timedOut`.
  ///
  /// - Returns: The token of the step on the clock, for the caller to cancel outside the lock.
  mutating func begin(_ response: StubResponse) -> (any Cancellable)? {
    let response = response.timingOut(after: request.timeoutInterval)
    self.response = response
    stepsDone = 0
    defer { phase = .suspended(remaining: response.steps[0].delay) }
    guard case .waiting(_, let token) = phase else { return nil }
    return token
  }

  mutating func wait(until due: VirtualTime, _ token: any Cancellable) {
    phase = .waiting(due: due, token)
  }

  /// - Returns: The token of the step on the clock, for the caller to cancel outside the lock.
  mutating func suspend(at now: VirtualTime) -> (any Cancellable)? {
    guard case .waiting(let due, let token) = phase else { return nil }
    phase = .suspended(remaining: now.distance(to: due))
    return token
  }

  /// Performs the step that is due. The last one ends the request.
  ///
  /// - Returns: The event for observers, the call for the session (`nil` while chunks are joined),
  ///   and the token of this step.
  mutating func advance() -> (event: NetworkEvent.Kind, call: Call?, token: (any Cancellable)?) {
    guard let response, case .waiting(_, let token) = phase, stepsDone < response.steps.count else {
      preconditionFailure("request \(number): a step ran that wasn't on the clock")
    }
    let step = response.steps[stepsDone].step
    stepsDone += 1
    phase = .suspended(remaining: isOver ? .zero : response.steps[stepsDone].delay)
    let (event, call) = perform(step)
    return (event, call, token)
  }

  /// Whether the last step is done.
  var isOver: Bool { stepsDone == response?.steps.count }

  private mutating func perform(_ step: StubResponse.Step) -> (NetworkEvent.Kind, Call?) {
    switch step {
    case .response(let status, let headers):
      guard let url = stub.request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
      else {
        preconditionFailure(
          "request \(number): \(status) can't be the status of a response: use 100 to 599")
      }
      return (.response(status: status, mimeType: response.mimeType), .response(response))
    case .chunk(let data):
      bytes += data.count
      if !isStreaming { joined.append(data) }
      return (.chunk(bytes: data.count, total: bytes), isStreaming ? .data(data) : nil)
    case .finish:
      return (.finished, .finish(joined: joined.isEmpty ? nil : joined))
    case .fail(let code):
      return (.failed(code), .fail(code))
    }
  }
}

extension InFlightRequest.Call {
  func perform(on client: any URLProtocolClient, for stub: StubURLProtocol) {
    switch self {
    case .response(let response):
      client.urlProtocol(stub, didReceive: response, cacheStoragePolicy: .notAllowed)
    case .data(let data):
      client.urlProtocol(stub, didLoad: data)
    case .finish(let joined):
      if let joined { client.urlProtocol(stub, didLoad: joined) }
      client.urlProtocolDidFinishLoading(stub)
    case .fail(let code):
      client.urlProtocol(stub, didFailWithError: URLError(code))
    }
  }
}
