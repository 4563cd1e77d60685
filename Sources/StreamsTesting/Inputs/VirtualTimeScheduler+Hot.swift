import Streams
import Testing
import VirtualTime

extension VirtualTimeScheduler {
  /// Makes a hot source from a marble string, such as `"-a-^-b|"`.
  ///
  /// `^` is the present moment of the clock, and symbols before it are left out, because they're in
  /// the past. Without `^`, the string starts at zero of the clock.
  ///
  /// A string that can't be read is reported as an issue, and the source then sends nothing. So is
  /// one with `!`, or with events that are in the past.
  ///
  /// - Parameters:
  ///   - marbles: The events, in the notation of ``MarbleString``.
  ///   - values: The values of the letters. If values are strings, a letter that isn't a key stands
  ///     for itself, so you can leave this out.
  ///   - failure: The error that `#` stands for. Without it, the source can't fail.
  ///   - frame: How long a frame is: more than 0.
  ///   - name: What its events are called when they're moved, as in `taps value 3`; see
  ///     `VirtualTime.Moves`. Without it, that's `input 1 value 3`.
  ///   - fileID: The file that issues are reported at.
  ///   - filePath: The path of that file.
  ///   - line: The line that issues are reported at.
  ///   - column: The column that issues are reported at.
  /// - Returns: The source.
  public func hot<Output, Failure: Error>(
    _ marbles: String, _ values: [Character: Output] = [Character: String](),
    failure: Failure? = Never?.none, frame: VirtualTime.Interval = MarbleString.defaultFrame,
    as name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> HotPublisher<Output, Failure> {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let script = TimedScript<Output, Failure>.reporting(at: location) {
      let events = try MarbleString.events(in: marbles, values, failure: failure, frame: frame)
      return try TimedScript(events.sinceSubscription(at: now), from: now)
    }
    return HotPublisher(script, on: self, as: name, location: location)
  }

  /// Makes a hot source from a list of events.
  ///
  /// Subscriptions, cancellations, times in the past and events after the end aren't possible.
  /// They're reported as an issue, and the source then sends nothing.
  ///
  /// - Parameters:
  ///   - events: The values and the completion, in any order. Times are times of the clock. Events
  ///     of one time keep their order.
  ///   - name: What its events are called when they're moved, as in `taps value 3`; see
  ///     `VirtualTime.Moves`. Without it, that's `input 1 value 3`.
  ///   - fileID: The file that issues are reported at.
  ///   - filePath: The path of that file.
  ///   - line: The line that issues are reported at.
  ///   - column: The column that issues are reported at.
  /// - Returns: The source.
  public func hot<Output, Failure: Error>(
    _ events: [TimedEvent<Output, Failure>], as name: String? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> HotPublisher<Output, Failure> {
    HotPublisher(
      events, on: self, as: name,
      location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Makes a hot source that doesn't fail from a list of events. The one for events that can fail
  /// explains the rules.
  public func hot<Output>(
    _ events: [TimedEvent<Output, Never>], as name: String? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> HotPublisher<Output, Never> {
    HotPublisher(
      events, on: self, as: name,
      location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension Array {
  /// The events after the first `^`, which is moved to a moment; all events if there is no `^`.
  fileprivate func sinceSubscription<Output, Failure>(
    at moment: VirtualTime
  ) -> Self where Element == TimedEvent<Output, Failure> {
    let start = firstIndex { if case .subscription = $0.kind { true } else { false } }
    guard let start else { return self }
    return self[(start + 1)...].map {
      $0.moved(to: moment.advanced(by: self[start].time.distance(to: $0.time)))
    }
  }
}
