import Streams
import Testing
import VirtualTime

extension VirtualTimeScheduler {
  /// Makes a cold source from a marble string, such as `"-a-b|"`. Its start is each subscription.
  ///
  /// A string that can't be read is reported as an issue, and the source then sends nothing. So is
  /// one with `^` or `!`, which a cold source doesn't have.
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
  public func cold<Output, Failure: Error>(
    _ marbles: String, _ values: [Character: Output] = [Character: String](),
    failure: Failure? = Never?.none, frame: VirtualTime.Interval = MarbleString.defaultFrame,
    as name: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) -> ColdPublisher<Output, Failure> {
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let script = TimedScript<Output, Failure>.reporting(at: location) {
      let events = try MarbleString.events(in: marbles, values, failure: failure, frame: frame)
      return try TimedScript(events, from: .zero)
    }
    return ColdPublisher(script, on: self, as: name, location: location)
  }

  /// Makes a cold source from a list of events.
  ///
  /// Subscriptions, cancellations, negative times and events after the end aren't possible. They're
  /// reported as an issue, and the source then sends nothing.
  ///
  /// - Parameters:
  ///   - events: The values and the completion, in any order. Times are counted from each
  ///     subscription. Events of one time keep their order.
  ///   - name: What its events are called when they're moved, as in `taps value 3`; see
  ///     `VirtualTime.Moves`. Without it, that's `input 1 value 3`.
  ///   - fileID: The file that issues are reported at.
  ///   - filePath: The path of that file.
  ///   - line: The line that issues are reported at.
  ///   - column: The column that issues are reported at.
  /// - Returns: The source.
  public func cold<Output, Failure: Error>(
    _ events: [TimedEvent<Output, Failure>], as name: String? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> ColdPublisher<Output, Failure> {
    ColdPublisher(
      events, on: self, as: name,
      location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Makes a cold source that doesn't fail from a list of events. The one for events that can fail
  /// explains the rules.
  public func cold<Output>(
    _ events: [TimedEvent<Output, Never>], as name: String? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> ColdPublisher<Output, Never> {
    ColdPublisher(
      events, on: self, as: name,
      location: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
