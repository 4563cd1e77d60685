import VirtualTime

/// The first difference between two marble strings.
///
/// ```swift
/// let wanted = try MarbleString(parsing: "-a-b|")
/// let yours = try MarbleString(parsing: "-a-c|")
/// print(MarbleDifference(expected: wanted, actual: yours)!)
/// // the marbles differ at 3ms: expected b, got c
/// //   expected  -a-b|
/// //   actual    -a-c|
/// //                ^
/// //   the actual one, to paste: "-a-c|"
/// ```
///
/// `expectMarbles` reports the same difference, with the values of the letters.
public struct MarbleDifference: Hashable, Sendable {
  /// The expected string.
  public let expected: MarbleString

  /// The actual string.
  public let actual: MarbleString

  /// How long a frame is in ``description``.
  public let frame: VirtualTime.Interval

  /// The moment from which on they differ: that of the earlier one of the first two symbols that
  /// aren't equal.
  public let time: VirtualTime

  /// The index of the expected symbol there; `nil` if nothing is expected then.
  let expectedIndex: Int?

  /// The index of the actual symbol there; `nil` if nothing happened then.
  let actualIndex: Int?

  /// How many symbols of that moment are equal.
  private let index: Int

  /// Compares two strings; `nil` if they're equal.
  ///
  /// - Parameters:
  ///   - expected: The expected string.
  ///   - actual: The actual string.
  ///   - frame: How long a frame is in the description.
  public init?(
    expected: MarbleString, actual: MarbleString,
    frame: VirtualTime.Interval = MarbleString.defaultFrame
  ) {
    self.init(expected: expected, actual: actual, frame: frame) {
      expected.symbols[$0] == actual.symbols[$0]
    }
  }

  /// - Parameter areEqual: Whether both have the same at an index.
  init?(
    expected: MarbleString, actual: MarbleString, frame: VirtualTime.Interval,
    areEqual: (Int) -> Bool
  ) {
    let counts = (expected: expected.symbols.count, actual: actual.symbols.count)
    let common = (0..<min(counts.expected, counts.actual)).prefix(while: areEqual).count
    guard common < max(counts.expected, counts.actual) else { return nil }
    self.expected = expected
    self.actual = actual
    self.frame = frame
    let first = common < counts.expected ? expected.symbols[common].time : .max
    let second = common < counts.actual ? actual.symbols[common].time : .max
    let time = min(first, second)
    self.time = time
    expectedIndex = first == time && common < counts.expected ? common : nil
    actualIndex = second == time && common < counts.actual ? common : nil
    index = expected.symbols[..<common].reversed().prefix { $0.time == time }.count
  }

  /// The expected symbol at ``time``; `nil` if nothing is expected then.
  public var expectedSymbol: MarbleString.Symbol? {
    expectedIndex.map { expected.symbols[$0].symbol }
  }

  /// The actual symbol at ``time``; `nil` if nothing happened then.
  public var actualSymbol: MarbleString.Symbol? { actualIndex.map { actual.symbols[$0].symbol } }
}

extension MarbleDifference: CustomStringConvertible {
  /// What differs, both strings one above the other with a caret at the difference, and the actual
  /// string as a literal.
  public var description: String {
    text(
      expected: expectedSymbol.map { "\($0)" }, actual: actualSymbol.map { "\($0)" }
    ) { _ in [] }
  }

  /// The description.
  ///
  /// - Parameters:
  ///   - expected: What's expected there.
  ///   - actual: What happened there.
  ///   - legend: The lines that explain letters.
  func text(expected: String?, actual: String?, legend: (Set<Character>) -> [String]) -> String {
    let layout = MarbleLayout([self.expected, self.actual], frame: frame)
    let caret = layout.column(of: index, at: time, in: expectedIndex == nil ? 1 : 0)
    let window = TextWindow(width: 88, around: caret)
    var lines = [
      "the marbles differ at \(time): expected \(expected ?? "nothing"), got "
        + (actual ?? "nothing"),
      "  expected  \(window.cut(layout.rows[0]))",
      "  actual    \(window.cut(layout.rows[1]))",
      "            \(window.caret)",
    ].map(\.withoutTrailingSpaces)
    lines += legend(letters(shownAs: layout.rows.map(window.cut))).map { "  \($0)" }
    let literal = String(reflecting: self.actual.text(frame: frame))
    lines.append("  the actual one, to paste: \(literal)")
    return lines.joined(separator: "\n")
  }

  /// The letters to explain: all of them, or if there are many, those that are shown.
  private func letters(shownAs texts: [String]) -> Set<Character> {
    let letters = (expected.symbols + actual.symbols).compactMap { placed -> Character? in
      if case .value(let letter) = placed.symbol { letter } else { nil }
    }
    let all = Set(letters)
    return all.count <= 40 ? all : all.intersection(texts.joined())
  }
}

/// The part of long lines that is shown: the columns around one of them.
private struct TextWindow {
  private let width: Int
  private let column: Int
  private let start: Int

  init(width: Int, around column: Int) {
    self.width = width
    self.column = column
    start = column < width - 8 ? 0 : column - width / 2
  }

  /// A caret below the column.
  var caret: String { String(repeating: " ", count: column - start) + "^" }

  /// The part of a line, with `…` where something is cut off.
  func cut(_ line: String) -> String {
    var rest = line.dropFirst(start)
    if start > 0, !rest.isEmpty { rest = "…" + rest.dropFirst() }
    return rest.count > width ? rest.prefix(width - 1) + "…" : String(rest)
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
