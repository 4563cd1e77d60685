import Streams
import Testing
import VirtualTime

/// Expects a recorder to have recorded the events of a marble string.
///
/// ```swift
/// expectMarbles(recorder, "300ms a 99ms b|", ["a": 1, "b": 2])
/// ```
///
/// The string starts at zero of the clock. Values and completions are always compared. The
/// subscription is compared if the string has a `^`, and the cancellation if it has a `!`. A
/// failure shows the difference like this:
///
/// ```
/// the marbles differ at 3ms: expected value 2, got value 3
///   expected  -a-b|
///   actual    -a-3|
///                ^
///   3: 3
///   a: 1
///   b: 2
///   the actual one, to paste: "-a-3|"
/// ```
///
/// A value of one character stands for itself, and other values that the test hasn't named get
/// letters. Both are drawn so that each instant has the same column. The test has then looked at
/// all events.
///
/// - Parameters:
///   - recorder: The recorder.
///   - marbles: The expected events, in the notation of ``MarbleString``. If it can't be read,
///     that's reported as an issue.
///   - values: The values of the letters. If values are strings, a letter that isn't a key stands
///     for itself.
///   - failure: The error that `#` stands for; if `nil`, `#` is any failure.
///   - frame: How long a frame is.
///   - fileID: The file that issues are reported at.
///   - filePath: The path of that file.
///   - line: The line that issues are reported at.
///   - column: The column that issues are reported at.
public func expectMarbles<Output: Equatable, Failure>(
  _ recorder: Recorder<Output, Failure>, _ marbles: String, _ values: [Character: Output] = [:],
  failure: Failure? = nil, frame: VirtualTime.Interval = MarbleString.defaultFrame,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  expectMarbles(
    recorder.events, marbles, values, failure: failure, frame: frame,
    fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects events to be those of a marble string. The one for a recorder explains the rules.
///
/// - Parameters:
///   - events: The events.
///   - marbles: The expected events, in the notation of ``MarbleString``. If it can't be read,
///     that's reported as an issue.
///   - values: The values of the letters. If values are strings, a letter that isn't a key stands
///     for itself.
///   - failure: The error that `#` stands for; if `nil`, `#` is any failure.
///   - frame: How long a frame is.
///   - fileID: The file that issues are reported at.
///   - filePath: The path of that file.
///   - line: The line that issues are reported at.
///   - column: The column that issues are reported at.
public func expectMarbles<Output: Equatable, Failure>(
  _ events: [TimedEvent<Output, Failure>], _ marbles: String, _ values: [Character: Output] = [:],
  failure: Failure? = nil, frame: VirtualTime.Interval = MarbleString.defaultFrame,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  let problem = marbleProblem(events, marbles, values, failure: failure, frame: frame)
  guard let problem else { return }
  reportIssue(
    problem,
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// The message of a failed expectation; `nil` if the events are as expected.
private func marbleProblem<Output: Equatable, Failure>(
  _ events: [TimedEvent<Output, Failure>], _ marbles: String, _ values: [Character: Output],
  failure: Failure?, frame: VirtualTime.Interval
) -> String? {
  let expected: [TimedEvent<Output, any Error>]
  do {
    expected = try MarbleString.events(
      in: marbles, values, failure: failure ?? AnyFailure(), frame: frame)
  } catch {
    return error.description
  }
  let hasSubscription = expected.contains { $0.kind == .subscription }
  let hasCancellation = expected.contains { $0.kind == .cancelled }
  let actual = events.sortedByTime(\.time).map(\.erased).filter { event in
    switch event.kind {
    case .subscription: hasSubscription
    case .cancelled: hasCancellation
    case .value, .finished, .failure: true
    }
  }
  let isEqual = { (index: Int) in
    let (first, second) = (expected[index], actual[index])
    if failure == nil, case .failure = first.kind, case .failure = second.kind {
      return first.time == second.time
    }
    return first == second
  }
  var legend = MarbleLegend(values)
  let difference = MarbleDifference(
    expected: legend.marbles(of: expected), actual: legend.marbles(of: actual), frame: frame,
    areEqual: isEqual)
  return difference.map { difference in
    difference.text(
      expected: difference.expectedIndex.map { "\(expected[$0].kind)" },
      actual: difference.actualIndex.map { "\(actual[$0].kind)" }, legend: legend.lines)
  }
}

/// The error of a `#` that any error matches.
private struct AnyFailure: Error, CustomStringConvertible {
  var description: String { "(any)" }
}

extension TimedEvent {
  /// The same event of a stream that can fail with any error.
  fileprivate var erased: TimedEvent<Output, any Error> {
    switch kind {
    case .subscription: .subscription(at: time)
    case .value(let value): .value(value, at: time)
    case .finished: .finished(at: time)
    case .failure(let error): .failure(error, at: time)
    case .cancelled: .cancelled(at: time)
    }
  }
}
