import Streams
import Timeline

/// Records the events of requests in a timeline, each with its cause.
///
/// A request is caused by the code that made its task. Each later event follows from the one before
/// it, except a cancellation by code that's known. A callback follows from the latest event.
package final class RequestLog: Sendable {
  private struct State {
    var events: [NetworkEvent] = []
    /// The number of the latest event of each request.
    var latest: [Int: Int] = [:]
    var observers: [@Sendable (NetworkEvent) -> Void] = []
  }

  private let timeline: Timeline
  private let state = Locked(State())

  package init(_ timeline: Timeline) { self.timeline = timeline }

  /// The number of the event that the calling code follows from.
  package var current: Int? { timeline.currentCause }

  /// All events so far, in order.
  var events: [NetworkEvent] { state.withLock { $0.events } }

  func observe(_ observer: @escaping @Sendable (NetworkEvent) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// Records an event of a request.
  ///
  /// - Parameters:
  ///   - request: The number of the request.
  ///   - kind: The kind of event.
  ///   - cause: The number of the event that led to it; `nil` if it's the latest one of the
  ///     request.
  ///   - thread: The label of the thread that made the request; `nil` for the timeline's own.
  /// - Returns: The event.
  @discardableResult
  package func record(
    _ request: Int, _ kind: Timeline.Event.Network, cause: Int? = nil, thread: String? = nil
  ) -> Timeline.Event {
    let event = timeline.record(
      .network(kind), in: .request("request \(request)"), thread: thread,
      cause: cause ?? state.withLock { $0.latest[request] })
    let reported = NetworkEvent(time: event.time, request: request, kind: kind)
    let observers = state.withLock { state in
      state.latest[request] = event.number
      state.events.append(reported)
      return state.observers
    }
    for observer in observers { observer(reported) }
    return event
  }

  /// Runs a callback of a request.
  package func run(callbackOf request: Int, _ callback: () -> Void) {
    let cause = state.withLock { $0.latest[request] }.map { timeline.cause($0) }
    Timeline.following(cause, callback)
  }
}
