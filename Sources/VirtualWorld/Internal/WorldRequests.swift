import Streams
import StreamsFoundation
import StubNetwork
import Timeline
import VirtualTime

/// Notices requests from outside the world, and those that are made again and again.
///
/// Code outside runs at the same time as the world, so the world can't know when its requests come.
final class WorldRequests: RequestWatch {
  /// A request from outside the world.
  struct Outside {
    let outsider: Outsider
    /// The method and the URL.
    let summary: String
    let time: VirtualTime
    /// Whether no call moved time after it, except the one that ends the world.
    let isLate: Bool
  }

  private let timeline: Timeline
  private let backend: WorldBackend
  private let clock: VirtualTimeScheduler
  private let label: @Sendable () -> String?
  private let takeSite: (@Sendable () -> any World.Site)?
  private let onLate: @Sendable (String) -> Void
  private let repeats = RepeatedRequests()
  private let outside = Locked<(requests: [Int: Outside], isEnding: Bool)>(([:], false))

  /// - Parameters:
  ///   - label: Returns the label of an event from outside the world.
  ///   - takeSite: Takes the place of the code that makes a request, for reports.
  ///   - onLate: Called with the method and the URL of a request that was made after the world's
  ///     end, on the thread that made it, inside a call of `URLSession`.
  init(
    _ timeline: Timeline, _ backend: WorldBackend, _ clock: VirtualTimeScheduler,
    label: @escaping @Sendable () -> String?, takeSite: (@Sendable () -> any World.Site)?,
    onLate: @escaping @Sendable (String) -> Void
  ) {
    self.timeline = timeline
    self.backend = backend
    self.clock = clock
    self.label = label
    self.takeSite = takeSite
    self.onLate = onLate
  }

  // MARK: Called by the network

  var outsider: Outsider? {
    guard backend.isCalledFromOutside else { return nil }
    return Outsider(
      task: SchedulingScope.currentTaskName, site: takeSite?(), label: label())
  }

  var isOnAttachedQueue: Bool { backend.isOnAttachedQueue }

  var site: (any WorkSite)? {
    guard repeats.needsSites else { return nil }
    return takeSite?()
  }

  func noteStart(
    _ start: Timeline.Event, of request: Int, by outsider: Outsider?, madeAt site: (any WorkSite)?
  ) {
    let summary = "\(start.kind)"
    if let outsider {
      outside.withLock { state in
        state.requests[request] = Outside(
          outsider: outsider, summary: summary, time: start.time, isLate: state.isEnding)
      }
    }
    // Stops the call that moves time if it makes one request again and again.
    guard let progress = clock.progress,
      let (rule, message) = repeats.note(
        summary, start, madeAt: site as? any World.Site, on: timeline, progress)
    else { return }
    clock.interrupt(rule, message)
  }

  func noteLate(_ summary: String) { onLate(summary) }

  // MARK: Called by the world

  /// Counts the requests that are noted from now on as late.
  func beginEnd() { outside.withLock { $0.isEnding = true } }

  /// The requests from outside so far, by number.
  var fromOutside: [Int: Outside] { outside.withLock { $0.requests } }
}
