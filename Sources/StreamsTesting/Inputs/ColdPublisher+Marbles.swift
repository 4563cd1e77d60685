import Streams
import Testing
import VirtualTime

extension ColdPublisher {
  /// Makes a source from a marble string, such as `"-a-b#"`. Its start is each subscription.
  ///
  /// A string that can't be read is reported as an issue, and the source then sends nothing. So is
  /// one with `^` or `!`, which a cold source doesn't have.
  ///
  /// - Parameters:
  ///   - marbles: The events, in the notation of ``MarbleString``.
  ///   - values: The values of the letters. If values are strings, a letter that isn't a key stands
  ///     for itself.
  ///   - failure: The error that `#` stands for.
  ///   - frame: How long a frame is.
  ///   - clock: The clock that times the events.
  ///   - sourceLocation: The place that issues are reported at.
  public convenience init(
    _ marbles: String, _ values: [Character: Output], failure: Failure,
    frame: VirtualTime.Interval = MarbleString.defaultFrame, on clock: VirtualTimeScheduler,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    self.init(
      marbles: marbles, values, failure: failure, frame: frame, on: clock, at: sourceLocation)
  }

  /// Makes a source that doesn't fail from a marble string, such as `"-a-b|"`.
  ///
  /// See the initializer with values and `failure:`. With `#`, the string is reported as an issue.
  public convenience init(
    _ marbles: String, _ values: [Character: Output],
    frame: VirtualTime.Interval = MarbleString.defaultFrame, on clock: VirtualTimeScheduler,
    sourceLocation: SourceLocation = #_sourceLocation
  ) where Failure == Never {
    self.init(marbles: marbles, values, failure: nil, frame: frame, on: clock, at: sourceLocation)
  }

  /// Makes a source of letters that doesn't fail: each letter of the string is a value.
  ///
  /// See the initializer with values and `failure:`. With `#`, the string is reported as an issue.
  public convenience init(
    _ marbles: String, frame: VirtualTime.Interval = MarbleString.defaultFrame,
    on clock: VirtualTimeScheduler, sourceLocation: SourceLocation = #_sourceLocation
  ) where Output == String, Failure == Never {
    self.init(marbles: marbles, [:], failure: nil, frame: frame, on: clock, at: sourceLocation)
  }

  /// Makes a source of letters from a marble string: each letter of the string is a value.
  ///
  /// See the initializer with values and `failure:`.
  public convenience init(
    _ marbles: String, failure: Failure, frame: VirtualTime.Interval = MarbleString.defaultFrame,
    on clock: VirtualTimeScheduler, sourceLocation: SourceLocation = #_sourceLocation
  ) where Output == String {
    self.init(
      marbles: marbles, [:], failure: failure, frame: frame, on: clock, at: sourceLocation)
  }

  private convenience init(
    marbles: String, _ values: [Character: Output], failure: Failure?,
    frame: VirtualTime.Interval, on clock: VirtualTimeScheduler, at location: SourceLocation
  ) {
    let script = TimedScript.reporting(at: location) {
      try TimedScript(
        MarbleString.events(in: marbles, values, failure: failure, frame: frame), from: .zero)
    }
    self.init(script, on: clock, location: location)
  }
}
