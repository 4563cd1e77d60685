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

  private init(sorted events: [TimedEvent<Output, Failure>]) { self.events = events }

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

  /// The same events, counted from a moment.
  func starting(at moment: VirtualTime) -> TimedScript {
    TimedScript(
      sorted: events.map {
        $0.moved(to: moment.advanced(by: VirtualTime.zero.distance(to: $0.time)))
      })
  }

  /// The same events, at the times that a clock's script gives them, and the copies of values that
  /// moves make. A value may come before others, but not after the end. The end may come before the
  /// usual times of moved values.
  ///
  /// - Parameters:
  ///   - script: The clock's script.
  ///   - name: The name of the source, such as `input 1`.
  ///   - suffix: What follows the name of each event, such as ` #2`.
  ///   - location: Where the source is made.
  ///   - start: The moment before which nothing can happen.
  /// - Returns: The events in the order of their times.
  func moved(
    by script: Script, as name: String, suffix: String = "", at location: SourceLocation,
    from start: VirtualTime
  ) -> TimedScript {
    let place = "\(location.fileName):\(location.line)"
    func time(
      of event: TimedEvent<Output, Failure>, _ address: String, in range: ClosedRange<VirtualTime>,
      bounds: ScriptedThing.Bounds
    ) -> TimedEvent<Output, Failure> {
      event.moved(
        to: script.time(
          of: .input, address, address, place: place, value: event.valueText, usual: event.time,
          in: range, bounds: bounds))
    }
    let values = events.filter { !$0.isEnd }.enumerated().map { index, value in
      (address: "\(name) value \(index + 1)\(suffix)", event: value)
    }
    let copies = values.enumerated().flatMap { index, value in
      script.copies(of: "\(name) value \(index + 1)", suffix: suffix)
        .map { (address: $0, event: value.event.moved(to: .max)) }
    }
    let lastValue = values.last { !script.moves($0.address) }?.event.time ?? start
    let end = events.last.flatMap { $0.isEnd ? $0 : nil }.map {
      time(
        of: $0, "the end of \(name)\(suffix)", in: max(start, lastValue)...VirtualTime.max,
        bounds: .init(after: "its last value"))
    }
    let limit = max(start, end?.time ?? .max)
    let bounds = ScriptedThing.Bounds(after: "its source", before: "the end of \(name)")
    let moved = (values + copies).map { address, event in
      time(of: event, address, in: start...limit, bounds: bounds)
    }
    return TimedScript(
      sorted: moved.filter { $0.time != .max }.sortedByTime(\.time) + (end.map { [$0] } ?? []))
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

extension TimedEvent {
  /// The value in one line; `nil` if it has none.
  fileprivate var valueText: String? {
    guard case .value(let value) = kind else { return nil }
    return "\(value)".split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// An event that a source can't send.
struct TimedScriptError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
