import Streams
import StubNetwork
import Timeline
import VirtualTime

/// Records the events of requests, each with its cause.
///
/// A request is caused by the code that made its task. Each later event follows from the one before
/// it, except a cancellation by code that's known. A callback follows from the latest event.
///
/// It also notes which requests come from outside the world. Their code runs at the same time as
/// the world, so the world can't know when they come.
package final class RequestLog: CauseTracking {
  /// A request from outside the world.
  struct Outside {
    let outsider: Outsider
    let summary: String
    let time: VirtualTime
    /// Whether no call moved time after it, except the one that ends the world.
    let isLate: Bool
  }

  private let timeline: Timeline
  private let backend: WorldBackend?
  private let label: @Sendable () -> String?
  private let takeSite: (@Sendable () -> any World.Site)?
  private let onLate: @Sendable (String) -> Void
  private let repeats = RepeatedRequests()
  /// Where requests that haven't started were made, if they may be reported.
  private let sites = Locked<[Int: any WorkSite]>([:])
  private let outside = Locked<(requests: [Int: Outside], isEnding: Bool)>(([:], false))
  /// The number of the latest event of each request.
  private let latest = Locked<[Int: Int]>([:])

  /// Makes a log of requests that all belong to the world, as those to a real network do.
  package init(_ timeline: Timeline) {
    self.timeline = timeline
    backend = nil
    label = { nil }
    takeSite = nil
    onLate = { _ in }
  }

  /// - Parameters:
  ///   - label: Returns the label of an event from outside the world.
  ///   - takeSite: Takes the place of the code that makes a request, for reports.
  ///   - onLate: Called with the method and the URL of a request that was made after the world's
  ///     end, on the thread that made it, inside a call of `URLSession`.
  init(
    _ timeline: Timeline, _ backend: WorldBackend, label: @escaping @Sendable () -> String?,
    takeSite: (@Sendable () -> any World.Site)?, onLate: @escaping @Sendable (String) -> Void
  ) {
    self.timeline = timeline
    self.backend = backend
    self.label = label
    self.takeSite = takeSite
    self.onLate = onLate
  }

  /// Records an event of a request.
  ///
  /// - Parameters:
  ///   - request: The number of the request.
  ///   - kind: The kind of event.
  ///   - cause: The number of the event that led to it; `nil` if it's the latest one of the
  ///     request.
  /// - Returns: The event.
  @discardableResult
  package func record(
    _ request: Int, _ kind: NetworkEvent.Kind, cause: Int?
  ) -> Timeline.Event {
    var thread: String?
    if case .started = kind, outside.withLock({ $0.requests[request] }) != nil { thread = label() }
    let event = timeline.record(
      .network(Timeline.Event.Network(kind)), in: .request("request \(request)"), thread: thread,
      cause: cause ?? latest.withLock { $0[request] })
    latest.withLock { $0[request] = event.number }
    return event
  }

  /// Stops the call that moves time if it makes one request again and again.
  ///
  /// - Parameters:
  ///   - recorded: The event in the timeline.
  ///   - event: The same event, as the network reports it.
  func stopRepeats(
    _ recorded: Timeline.Event, _ event: NetworkEvent, on clock: VirtualTimeScheduler
  ) {
    guard case .started(let method, let url) = event.kind else { return }
    let site = sites.withLock { $0.removeValue(forKey: event.request) }
    guard let progress = clock.progress,
      let (rule, message) = repeats.note(
        "\(method.rawValue) \(url)", recorded, madeAt: site as? any World.Site, on: timeline,
        progress)
    else { return }
    clock.interrupt(rule, message)
  }

  package var current: Int? { timeline.currentCause }

  package var site: (any WorkSite)? {
    guard repeats.needsSites else { return nil }
    return takeSite?()
  }

  package func note(_ site: any WorkSite, of request: Int) {
    sites.withLock { $0[request] = site }
  }

  package func run(callbackOf request: Int, _ callback: () -> Void) {
    let cause = latest.withLock { $0[request] }.map { timeline.cause($0) }
    Timeline.following(cause, callback)
  }

  // MARK: Requests from outside

  package var outsider: Outsider? { backend?.outsider }

  package var isOnAttachedQueue: Bool { backend?.isOnAttachedQueue ?? false }

  package func note(_ outsider: Outsider, of request: Int, _ summary: String) {
    outside.withLock { state in
      state.requests[request] = Outside(
        outsider: outsider, summary: summary, time: VirtualTime(nanoseconds: backend?.now ?? 0),
        isLate: state.isEnding)
    }
  }

  package func noteLate(_ summary: String) { onLate(summary) }

  /// Counts the requests that are noted from now on as late.
  func beginEnd() { outside.withLock { $0.isEnding = true } }

  /// The requests from outside so far, by number.
  var requestsFromOutside: [Int: Outside] { outside.withLock { $0.requests } }
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
