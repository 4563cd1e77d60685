import Streams
import Testing
import VirtualTime

/// Expects a cold source to have had these subscriptions, in order.
///
/// ```swift
/// expectSubscriptions(source, ["^--!", "---^--|"])
/// ```
///
/// Each string has one `^` for the subscription. It ends with `!` if the subscriber cancelled, with
/// `|` if the stream finished or failed first, and with nothing if the subscription still lives.
/// The strings start at zero of the clock. (In RxJS, both kinds of ends are `!`.)
///
/// - Parameters:
///   - source: The source.
///   - marbles: A string for each subscription, in the notation of ``MarbleString``.
///   - frame: How long a frame is.
///   - fileID: The file that issues are reported at.
///   - filePath: The path of that file.
///   - line: The line that issues are reported at.
///   - column: The column that issues are reported at.
public func expectSubscriptions<Output, Failure>(
  _ source: ColdPublisher<Output, Failure>, _ marbles: [String],
  frame: VirtualTime.Interval = MarbleString.defaultFrame,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  expectSubscriptions(
    source.subscriptions, marbles, frame: frame, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Expects a hot source to have had these subscriptions, in order. The one for a cold source
/// explains the strings.
///
/// - Parameters:
///   - source: The source.
///   - marbles: A string for each subscription, in the notation of ``MarbleString``.
///   - frame: How long a frame is.
///   - fileID: The file that issues are reported at.
///   - filePath: The path of that file.
///   - line: The line that issues are reported at.
///   - column: The column that issues are reported at.
public func expectSubscriptions<Output, Failure>(
  _ source: HotPublisher<Output, Failure>, _ marbles: [String],
  frame: VirtualTime.Interval = MarbleString.defaultFrame,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  expectSubscriptions(
    source.subscriptions, marbles, frame: frame, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Expects these subscriptions, in order. The one for a cold source explains the strings.
///
/// - Parameters:
///   - subscriptions: The subscriptions.
///   - marbles: A string for each subscription, in the notation of ``MarbleString``.
///   - frame: How long a frame is.
///   - fileID: The file that issues are reported at.
///   - filePath: The path of that file.
///   - line: The line that issues are reported at.
///   - column: The column that issues are reported at.
public func expectSubscriptions(
  _ subscriptions: [TimedSubscription], _ marbles: [String],
  frame: VirtualTime.Interval = MarbleString.defaultFrame,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
  let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  var expected: [MarbleString] = []
  do {
    for text in marbles { expected.append(try MarbleString(parsing: text, frame: frame)) }
  } catch {
    return reportIssue(error.description, at: location)
  }
  let actual = subscriptions.map { MarbleString($0) }
  guard expected != actual else { return }
  let count = max(expected.count, actual.count)
  let number = (0..<count).first { expected.element(at: $0) != actual.element(at: $0) } ?? 0
  // All in one layout, so that you can compare them with each other.
  let rows = MarbleLayout(expected + actual, frame: frame).rows
  let texts = actual.map { $0.text(frame: frame) }
  let lines =
    ["the subscriptions differ at number \(number + 1)"]
    + list("expected", rows.prefix(expected.count))
    + list("actual  ", rows.dropFirst(expected.count))
    + ["  the actual ones, to paste: \(texts)"]
  reportIssue(lines.joined(separator: "\n"), at: location)
}

private func list(_ head: String, _ rows: ArraySlice<String>) -> [String] {
  if rows.isEmpty { return ["  \(head)  none"] }
  return rows.map { "  \(head)  \($0)" }
}

extension Array {
  fileprivate func element(at index: Int) -> Element? { index < count ? self[index] : nil }
}
