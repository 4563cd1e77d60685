import Foundation
import Streams
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request on its way through its answer.
///
/// It waits for the due time of its next step, or stands still while its task is suspended, keeping
/// what was left of the wait. There is never more than one step on the clock, so that cancelling
/// takes one token. Before it has an answer it may wait for a network, with nothing on the clock.
struct Load {
  /// What a step means to the session.
  enum Call {
    case response(HTTPURLResponse)
    case data(Data)
    /// All was sent; the data is what a task without a streaming delegate gets at last.
    case finish(joined: Data?)
    case fail(URLError.Code)
  }

  private enum Phase {
    case waiting(due: VirtualTime, any Cancellable)
    case suspended(remaining: VirtualTime.Interval)
  }

  let number: Int
  let stub: StubURLProtocol
  /// The request, its body read if it was a stream.
  let request: URLRequest
  private let isStreaming: Bool
  /// The answer; `nil` as long as the request was not sent.
  private var answer: Answer?
  private var stepsDone = 0
  private var phase = Phase.suspended(remaining: .zero)
  private var joined = Data()

  /// How much of the body has come.
  private(set) var bytes = 0

  init(number: Int, stub: StubURLProtocol, request: URLRequest, isStreaming: Bool) {
    self.number = number
    self.stub = stub
    self.request = request
    self.isStreaming = isStreaming
  }

  /// Whether the request waits for a network.
  var isUnsent: Bool { answer == nil }

  /// How long to wait for the next step; `nil` if it is on the clock, or if there is none.
  var remaining: VirtualTime.Interval? {
    guard answer != nil, case .suspended(let remaining) = phase else { return nil }
    return remaining
  }

  /// Gives the request its answer, or another in place of what is left of the one it has.
  ///
  /// - Returns: The token of the step that was waited for, to be released outside the lock.
  mutating func begin(_ answer: Answer) -> (any Cancellable)? {
    self.answer = answer
    stepsDone = 0
    defer { phase = .suspended(remaining: answer.steps[0].delay) }
    guard case .waiting(_, let token) = phase else { return nil }
    return token
  }

  mutating func wait(until due: VirtualTime, _ token: any Cancellable) {
    phase = .waiting(due: due, token)
  }

  /// - Returns: The token to be released outside the lock.
  mutating func suspend(at now: VirtualTime) -> (any Cancellable)? {
    guard case .waiting(let due, let token) = phase else { return nil }
    phase = .suspended(remaining: now.distance(to: due))
    return token
  }

  /// Does the step that was waited for. After the last one the load is over.
  ///
  /// - Returns: What to tell observers and the session (nothing, while data is being joined), and
  ///   the token that is done with.
  mutating func advance() -> (event: NetworkEvent.Kind, call: Call?, token: (any Cancellable)?) {
    guard let answer, case .waiting(_, let token) = phase, stepsDone < answer.steps.count else {
      preconditionFailure("request \(number): a step came that nobody waits for")
    }
    let step = answer.steps[stepsDone].step
    stepsDone += 1
    phase = .suspended(remaining: isOver ? .zero : answer.steps[stepsDone].delay)
    let (event, call) = perform(step)
    return (event, call, token)
  }

  /// Whether the last step was done.
  var isOver: Bool { stepsDone == answer?.steps.count }

  private mutating func perform(_ step: Answer.Step) -> (NetworkEvent.Kind, Call?) {
    switch step {
    case .response(let status, let headers):
      guard let url = stub.request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
      else { preconditionFailure("request \(number): no response has status \(status)") }
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

extension Load.Call {
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
