import Foundation
import Streams
import StreamsFoundation
import Timeline
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request between its start and the end of its response.
///
/// It waits for the due time of its next step, or for the end of the time that its session allows
/// for the whole request. While its task is suspended, it keeps the rest of both waits for later.
/// At most one of them is on the clock, so one token is enough to cancel. A request that waits for
/// connectivity has no response yet, and so no step.
struct InFlightRequest {
  /// A call to the session's client.
  enum Call {
    /// A piece of the request's body was sent.
    case sent(BodyProgress.Report)
    /// The head of the response, with the fields as they were sent and the time.
    case response(HTTPURLResponse, [String: String], at: VirtualTime)
    case data(Data)
    /// A chunk of a download, whose delegate is told how much there is.
    case written(count: Int, total: Int, Download)
    /// The end of the body. A task without a streaming delegate gets the joined chunks with it.
    case finish(joined: Data, Download?)
    case fail(URLError.Code)
  }

  private enum Phase {
    case waiting(since: VirtualTime, any Cancellable)
    case paused
  }

  let number: Int
  let stub: StubURLProtocol
  /// The request as it's sent. A body stream and the body of an upload have been read into
  /// `httpBody`.
  let request: URLRequest
  private let isStreaming: Bool
  private let download: Download?
  /// The response; `nil` until the request is sent.
  private var response: StubResponse?
  private var stepsDone = 0
  private var phase = Phase.paused
  /// The rest of the wait for the next step of the response.
  private var stepDelay = VirtualTime.Interval.zero
  /// The rest of the time that the session allows for the whole request; `nil` for any time.
  private var resourceLimit: VirtualTime.Interval?
  private var joined = Data()
  private var progress: BodyProgress
  /// The calls that tell how the whole body was sent, until they're made.
  private var sent: [BodyProgress.Report] = []

  /// The number of body bytes delivered so far.
  private(set) var bytes = 0

  init(number: Int, stub: StubURLProtocol, request: URLRequest, announced: Settler.Announcement) {
    self.number = number
    self.stub = stub
    self.request = request
    isStreaming = announced.isStreaming
    download = announced.download
    resourceLimit = stub.settings.resourceLimit
    progress = BodyProgress(
      byteCount: request.httpBody?.count ?? 0,
      isStream: announced.uploadBody == nil && stub.request.httpBodyStream != nil,
      to: announced.recipient)
  }

  /// Whether the request still has to be sent, because it waits for connectivity.
  var isUnsent: Bool { response == nil }

  /// How long to wait for the next thing to happen; `nil` if that is on the clock already, or if an
  /// unsent request may wait forever.
  var remaining: VirtualTime.Interval? {
    guard case .paused = phase else { return nil }
    return isUnsent ? resourceLimit : min(stepDelay, resourceLimit ?? stepDelay)
  }

  /// Gives the request its response, or replaces the rest of the response it has.
  ///
  /// If nothing comes for the timeout of the request or its session, it fails with
  /// `URLError.timedOut`.
  ///
  /// - Returns: The token of the wait on the clock, for the caller to cancel outside the lock.
  mutating func begin(_ response: StubResponse, at now: VirtualTime) -> (any Cancellable)? {
    let token = pause(at: now)
    if response.hasStatus, response.upload == nil { sent += progress.finish() }
    let response = response.sending(progress.byteCount)
      .timingOut(after: stub.settings.timeout(of: request))
    self.response = response
    stepsDone = 0
    stepDelay = response.steps[0].delay
    return token
  }

  /// Returns the calls that tell how the body was sent, once.
  mutating func takeSent() -> [BodyProgress.Report] {
    defer { sent = [] }
    return sent
  }

  mutating func wait(since now: VirtualTime, _ token: any Cancellable) {
    phase = .waiting(since: now, token)
  }

  /// Stops the waits, and keeps the rest of them for later.
  ///
  /// - Returns: The token of the wait on the clock, for the caller to cancel outside the lock.
  mutating func pause(at now: VirtualTime) -> (any Cancellable)? {
    guard case .waiting(let start, let token) = phase else { return nil }
    phase = .paused
    let elapsed = start.distance(to: now)
    stepDelay -= elapsed
    resourceLimit = resourceLimit.map { $0 - elapsed }
    return token
  }

  /// Performs the step that is due, or fails if the session allows no more time. The last step ends
  /// the request.
  ///
  /// - Returns: The event for observers (`nil` for a piece that was sent), the call for the session
  ///   (`nil` while chunks are joined), and the token of this wait.
  mutating func advance(
    at now: VirtualTime
  ) -> (event: Timeline.Event.Network?, call: Call?, token: (any Cancellable)?) {
    guard let token = pause(at: now), !isOver else {
      preconditionFailure("request \(number): a step ran that wasn't on the clock")
    }
    if isUnsent || stepDelay > .zero { response = .failure(.timedOut) }
    guard let response else { preconditionFailure("request \(number) has no response") }
    stepsDone = min(stepsDone, response.steps.count - 1)
    let step = response.steps[stepsDone].step
    stepsDone += 1
    stepDelay = isOver ? .zero : response.steps[stepsDone].delay
    let (event, call) = perform(step, at: now)
    return (event, call, token)
  }

  /// Whether the last step is done.
  var isOver: Bool { stepsDone == response?.steps.count }

  private mutating func perform(
    _ step: StubResponse.Step, at now: VirtualTime
  ) -> (Timeline.Event.Network?, Call?) {
    switch step {
    case .sent(let total):
      return (nil, progress.advance(to: total).map { .sent($0) })
    case .response(let status, let headers, let responder):
      guard let url = responder ?? stub.request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
      else {
        preconditionFailure(
          "request \(number): \(status) can't be the status of a response: use 100 to 599")
      }
      return (.response(status: status), .response(response, headers, at: now))
    case .chunk(let data):
      bytes += data.count
      if !isStreaming { joined.append(data) }
      let call =
        isStreaming
        ? Call.data(data) : download.map { .written(count: data.count, total: bytes, $0) }
      return (.chunk(bytes: data.count), call)
    case .finish:
      return (.finished, .finish(joined: joined, download))
    case .fail(let code):
      return (.failed(code.name), .fail(code))
    }
  }
}

extension InFlightRequest.Call {
  func perform(on client: any URLProtocolClient, for stub: StubURLProtocol) {
    switch self {
    case .sent(let report):
      report.deliver(of: stub.task)
    case .response(let response, let headers, let now):
      if let url = response.url {
        stub.settings.cookies?.keepCookies(of: headers, from: url, at: now)
      }
      client.urlProtocol(stub, didReceive: response, cacheStoragePolicy: .notAllowed)
    case .data(let data):
      client.urlProtocol(stub, didLoad: data)
    case .written(let count, let total, let download):
      download.report(count, total: total)
    case .finish(let joined, let download):
      download?.finish(joined)
      if download == nil, !joined.isEmpty { client.urlProtocol(stub, didLoad: joined) }
      client.urlProtocolDidFinishLoading(stub)
    case .fail(let code):
      client.urlProtocol(stub, didFailWithError: URLError(code))
    }
  }
}
