import Foundation
import Timeline
import VirtualTime

/// Reads a trace, which is what a run prints with `--trace`, back into a recording.
enum TraceReader {
  /// - Parameter path: The file that the lines come from. Problems are reported there.
  static func recording(
    of lines: [String], path: String
  ) throws(Problem) -> Timeline.Recording {
    var parts: [Timeline.Recording.Part] = []
    for (index, text) in lines.enumerated() {
      let line = try? JSONDecoder().decode(TraceLine.self, from: Data(text.utf8))
      if let title = line?.part {
        parts.append(Timeline.Recording.Part(title: title))
      } else if let event = line?.timelineEvent {
        if parts.isEmpty { parts.append(Timeline.Recording.Part()) }
        parts[parts.count - 1].events.append(event)
      } else if let wait = line?.timelineWait, !parts.isEmpty {
        parts[parts.count - 1].waits.append(wait)
      } else {
        throw Location(path: path, line: index + 1)
          .problem("this line isn't one of a trace: record the snapshot again")
      }
    }
    return Timeline.Recording(parts: parts)
  }
}

/// A line of a trace: the heading of a part, an event or a wait. `Recording.trace()` describes the
/// keys.
private struct TraceLine: Decodable {
  struct Demand: Decodable {
    /// `nil` for unlimited.
    let count: Int?

    init(from decoder: any Decoder) throws {
      count = try? decoder.singleValueContainer().decode(Int.self)
    }
  }

  let part: String?
  let number: Int?
  let nanoseconds: Int64?
  let place: Int?
  let lane: String?
  let role: String?
  let event: String?
  let demand: Demand?
  let text: String?
  let method: String?
  let url: String?
  let status: Int?
  let bytes: Int?
  let thread: String?
  let cause: Int?
  let from: [Int]?
  let subscription: Int?
  let file: String?
  let line: Int?
  let wait: String?
  let end: Int64?

  var timelineWait: Timeline.Wait? {
    guard let nanoseconds, let lane, let role = role.flatMap(Timeline.Lane.Role.init),
      let ending = wait.flatMap(Timeline.Wait.Ending.init), (end == nil) == (ending == .pending)
    else { return nil }
    return Timeline.Wait(
      lane: Timeline.Lane(lane, role: role), subscription: subscription,
      start: VirtualTime(nanoseconds: nanoseconds),
      end: VirtualTime(nanoseconds: end ?? nanoseconds), ending: ending, cause: cause)
  }

  var timelineEvent: Timeline.Event? {
    guard let number, let nanoseconds, let place, let lane, let kind,
      let role = role.flatMap(Timeline.Lane.Role.init)
    else { return nil }
    var source: Timeline.SourceLine?
    if let file, let line { source = Timeline.SourceLine(fileID: file, line: line) }
    return Timeline.Event(
      number: number, time: VirtualTime(nanoseconds: nanoseconds), place: place,
      lane: Timeline.Lane(lane, role: role), kind: kind, thread: thread, cause: cause,
      from: from ?? [], subscription: subscription, line: source)
  }

  private var kind: Timeline.Event.Kind? {
    switch event {
    case "subscription": .subscription
    case "request": demand.map { .request($0.count.map { .max($0) } ?? .unlimited) }
    case "value": text.map { .value($0) }
    case "finished": .finished
    case "failure": text.map { .failure($0) }
    case "cancelled": .cancelled
    case "note": text.map { .note($0) }
    case "printed": text.map { .printed($0) }
    case "request-started":
      if let method, let url { .network(.started(method: method, url: url)) } else { nil }
    case "request-waiting": .network(.waiting)
    case "request-sent": .network(.sent)
    case "response": status.map { .network(.response(status: $0, bytes: bytes)) }
    case "chunk": bytes.map { .network(.chunk(bytes: $0)) }
    case "request-finished": .network(.finished)
    case "request-failed": text.map { .network(.failed($0)) }
    case "request-cancelled": bytes.map { .network(.cancelled(bytes: $0)) }
    default: nil
    }
  }
}
