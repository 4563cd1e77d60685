import Streams
import VirtualTime

/// The first difference between expected and actual events.
struct MarbleDifference<Output: Equatable, Failure: Error> {
  typealias Event = TimedEvent<Output, Failure>
  private let expected: [Event]
  private let actual: [Event]
  private let frame: VirtualTime.Interval

  /// Where they differ.
  private let time: VirtualTime

  /// How many events of that instant are equal, and the first ones that aren't.
  private let index: Int
  private let expectedKind: Event.Kind?
  private let actualKind: Event.Kind?

  /// Compares events; `nil` if they're equal.
  ///
  /// - Parameters:
  ///   - expected: The expected events, in order of time.
  ///   - actual: The actual events, in order of time.
  ///   - ignoresErrors: Whether all failures are equal.
  ///   - frame: The frame of the strings in the description.
  init?(
    expected: [Event], actual: [Event], ignoresErrors: Bool, frame: VirtualTime.Interval
  ) {
    let areEqual = { (first: Event, second: Event) in
      if ignoresErrors, case .failure = first.kind, case .failure = second.kind {
        return first.time == second.time
      }
      return first == second
    }
    let common = zip(expected, actual).prefix(while: areEqual).count
    guard common < max(expected.count, actual.count) else { return nil }
    self.expected = expected
    self.actual = actual
    self.frame = frame
    let first = common < expected.count ? expected[common] : nil
    let second = common < actual.count ? actual[common] : nil
    // The earlier one of both, if they differ in time.
    let time = min(first?.time ?? .max, second?.time ?? .max)
    self.time = time
    expectedKind = first?.time == time ? first?.kind : nil
    actualKind = second?.time == time ? second?.kind : nil
    index = expected[..<common].reversed().prefix { $0.time == time }.count
  }

  /// The difference, both strings one above the other, the values of the letters, and the actual
  /// string as a literal.
  func description(_ values: [Character: Output]) -> String {
    var legend = MarbleLegend(values)
    let rows = [legend.symbols(of: expected), legend.symbols(of: actual)]
    let layout = MarbleLayout(rows, frame: frame)
    let row = expectedKind == nil ? 1 : 0
    let caret = layout.column(of: index, at: time, in: row)
    let window = TextWindow(width: 88, around: caret)
    var lines = [
      "the marbles differ at \(time): expected \(text(expectedKind)), got \(text(actualKind))",
      "  expected  \(window.cut(layout.rows[0]))",
      "  actual    \(window.cut(layout.rows[1]))",
      "            \(window.caret)",
    ].map(\.withoutTrailingSpaces)
    lines += legend.lines(for: letters(in: rows, shownAs: layout.rows.map(window.cut)))
      .map { "  \($0)" }
    lines.append("  the actual one, to paste: \(String(reflecting: text(of: rows[1])))")
    return lines.joined(separator: "\n")
  }

  /// The letters to explain: all of them, or if there are many, those that are shown.
  private func letters(
    in rows: [[MarbleString.Placed]], shownAs texts: [String]
  ) -> Set<Character> {
    let letters = rows.joined().compactMap { placed -> Character? in
      if case .value(let letter) = placed.symbol { letter } else { nil }
    }
    let all = Set(letters)
    return all.count <= 40 ? all : all.intersection(texts.joined())
  }

  private func text(of row: [MarbleString.Placed]) -> String {
    MarbleString(row).text(frame: frame)
  }

  private func text(_ kind: Event.Kind?) -> String { kind?.description ?? "nothing" }
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
