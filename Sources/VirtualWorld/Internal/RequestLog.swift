import Streams
import StubNetwork
import Timeline

/// Records the events of requests, each with its cause.
///
/// A request is caused by the code that made its task. Each later event follows from the one before
/// it, except a cancellation by code that's known. A callback follows from the latest event.
package final class RequestLog: CauseTracking {
  private let timeline: Timeline
  /// The number of the latest event of each request.
  private let latest = Locked<[Int: Int]>([:])

  package init(_ timeline: Timeline) { self.timeline = timeline }

  /// Records an event of a request.
  ///
  /// - Parameters:
  ///   - request: The number of the request.
  ///   - kind: The kind of event.
  ///   - cause: The number of the event that led to it; `nil` if it's the latest one of the
  ///     request.
  package func record(_ request: Int, _ kind: NetworkEvent.Kind, cause: Int?) {
    let event = timeline.record(
      .network(Timeline.Event.Network(kind)), in: .request("request \(request)"),
      cause: cause ?? latest.withLock { $0[request] })
    latest.withLock { $0[request] = event.number }
  }

  package var current: Int? { timeline.currentCause }

  package func run(callbackOf request: Int, _ callback: () -> Void) {
    let cause = latest.withLock { $0[request] }.map { timeline.cause($0) }
    Timeline.following(cause, callback)
  }
}

extension Timeline.Event.Network {
  fileprivate init(_ kind: NetworkEvent.Kind) {
    switch kind {
    case .started(let method, let url): self = .started(method: method.rawValue, url: url)
    case .waiting: self = .waiting
    case .sent: self = .sent
    case .response(let status, _): self = .response(status: status)
    case .chunk(let bytes, _): self = .chunk(bytes: bytes)
    case .finished: self = .finished
    case .failed(let code): self = .failed(code.name)
    case .cancelled(let bytes): self = .cancelled(bytes: bytes)
    case .unmatched(let reason): self = .failed("no response: \(reason)")
    }
  }
}
