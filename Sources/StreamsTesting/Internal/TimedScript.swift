import Streams
import Testing
import VirtualTime

/// The events of a timed source, sorted by time and checked.
struct TimedScript<Output, Failure: Error> {
  /// The events in order of time.
  let events: [TimedEvent<Output, Failure>]

  /// Checks events.
  ///
  /// - Parameters:
  ///   - events: The events in any order. Those of one instant keep their order.
  ///   - start: The moment before which nothing can happen.
  /// - Throws: The first event that a source can't send.
  init(
    _ events: [TimedEvent<Output, Failure>], from start: VirtualTime
  ) throws(TimedScriptError) {
    self.events = events.sortedByTime(\.time)
    var end: TimedEvent<Output, Failure>?
    for event in self.events {
      if let end {
        throw TimedScriptError("a source can't send \(event): its stream ends with \(end)")
      }
      guard event.time >= start else {
        throw TimedScriptError("a source can't send \(event): it starts at \(start)")
      }
      switch event.kind {
      case .value: break
      case .finished, .failure: end = event
      case .subscription:
        throw TimedScriptError("a source doesn't subscribe, so leave out \(event) (`^`)")
      case .cancelled:
        throw TimedScriptError(
          "a source doesn't cancel: use Recorder.cancel(at:) instead of \(event) (`!`)")
      }
    }
  }

  private init() { events = [] }

  /// The script that a closure makes. If it can't, reports why, and returns a script that sends
  /// nothing.
  static func reporting(
    at location: SourceLocation, _ make: () throws -> Self
  ) -> Self {
    do {
      return try make()
    } catch {
      reportIssue("\(error)", at: location)
      return Self()
    }
  }

  /// The events of each instant.
  var instants: [(time: VirtualTime, events: ArraySlice<TimedEvent<Output, Failure>>)] {
    var result: [(VirtualTime, ArraySlice<TimedEvent<Output, Failure>>)] = []
    var rest = events[...]
    while let first = rest.first {
      let batch = rest.prefix { $0.time == first.time }
      result.append((first.time, batch))
      rest = rest[batch.endIndex...]
    }
    return result
  }
}

/// An event that a source can't send.
struct TimedScriptError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
