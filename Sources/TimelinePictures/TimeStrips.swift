import Timeline
import VirtualTime

/// Which times of a thing lead to which outcome: a strip for each thing that has more than one.
///
/// It's read from the table that `--sweep` prints, so a picture shows what the table says.
public struct TimeStrips: Hashable, Sendable {
  /// Times with one outcome that follow each other.
  package struct Range: Hashable, Sendable {
    package let start: VirtualTime
    /// The last time; `nil` if all later ones lead there too.
    package let end: VirtualTime?
    /// The number of the outcome.
    package let outcome: Int
  }

  /// One thing.
  package struct Strip: Hashable, Sendable {
    /// What it is, such as `the response to GET /user`.
    package let name: String
    package let usual: VirtualTime
    package fileprivate(set) var ranges: [Range] = []
    /// The outcome if it doesn't come; `nil` if it always does.
    package fileprivate(set) var never: Int?

    fileprivate var outcomes: Set<Int> { Set(ranges.map(\.outcome) + [never].compactMap(\.self)) }
  }

  /// Why there's no picture, in a few words for a sentence.
  public enum Refusal: Error, Hashable, CustomStringConvertible {
    /// All times lead to the same outcome.
    case oneOutcome
    /// There are more outcomes than a reader could tell apart.
    case outcomes(Int)

    /// The words.
    public var description: String {
      switch self {
      case .oneOutcome: "every time leads to the same outcome"
      case .outcomes(let count): "\(count) outcomes are more than a picture can tell apart"
      }
    }
  }

  /// The most outcomes that a reader can tell apart: the usual one, and one for each tint.
  package static let mostOutcomes = ValueTint.count + 1

  /// The strips, in the order of the table.
  package let strips: [Strip]

  /// The outcomes that the strips have, in order of their numbers. The first is the usual one.
  package let outcomes: [Int]

  /// How each outcome differs from the usual one, by its number.
  package let changes: [Int: OutcomeChanges]

  /// What a reader should know besides the strips.
  package let remarks: [String]

  /// Reads a table.
  ///
  /// - Parameter table: The lines that `--sweep` prints for a part.
  /// - Throws: ``Refusal`` if there's nothing to draw.
  public init(table: [String]) throws(Refusal) {
    let table = Table(table)
    strips = table.strips.filter { Set($0.ranges.map(\.outcome)).count > 1 }
    guard !strips.isEmpty else { throw .oneOutcome }
    outcomes = strips.reduce(into: Set([1])) { $0.formUnion($1.outcomes) }.sorted()
    guard outcomes.count <= Self.mostOutcomes else { throw .outcomes(outcomes.count) }
    changes = table.changes
    let others = table.count - strips.count
    let things = others == 1 ? "One more thing" : "\(others) more things"
    remarks = table.cuts + (others > 0 ? ["\(things) can come at any time."] : [])
  }

  /// How an outcome differs from the usual one, in words that no other outcome here has.
  package func words(for outcome: Int) -> [String] {
    guard outcome != 1, let changes = changes[outcome] else {
      return outcome == 1 ? ["as usual"] : []
    }
    let words = changes.words
    let isUnique = !outcomes.contains { $0 != outcome && self.changes[$0]?.words == words }
    return isUnique ? words : changes.placedWords
  }

  /// All strips and outcomes in sentences.
  package var description: String {
    let unit = TimeUnit.milliseconds
    let strips = strips.map { strip in
      let ranges = strip.ranges.map { "outcome \($0.outcome) \($0.words(in: unit))" }
      let never = strip.never.map { ["outcome \($0) if it never comes"] } ?? []
      return "\(strip.name), usually at \(unit.text(of: strip.usual)): "
        + (ranges + never).joined(separator: ", ") + "."
    }
    let outcomes = outcomes.map { outcome in
      "Outcome \(outcome): \(words(for: outcome).joined(separator: ", "))."
    }
    return (strips + outcomes + remarks).joined(separator: " ")
  }
}

extension TimeStrips.Range {
  /// The range in words: `from 400ms to 999ms`.
  func words(in unit: TimeUnit) -> String {
    switch end {
    case nil: "from \(unit.text(of: start))"
    case start: "at \(unit.text(of: start))"
    case let end?: "from \(unit.text(of: start)) to \(unit.text(of: end))"
    }
  }
}

/// How the lines of an outcome differ from those of the usual one.
package struct OutcomeChanges: Hashable, Sendable {
  /// The lines as they're printed: those with a mark are only in one of the two.
  fileprivate var lines: [String] = []

  /// A phrase for each change, to be separated by commas: `also “finished”`.
  package var words: [String] {
    if let whole { return whole }
    let (added, removed, moved) = changes
    // A line that's in both has only changed its place.
    let earlier = moved.filter { text in
      texts.first { $0.text == text }?.mark == "+"
    }
    let isReplaced = removed.count == 1 && added.count == 1
    return
      (isReplaced
      ? ["“\(added[0])” instead of “\(removed[0])”"]
      : Self.list(added, after: "also") + Self.list(removed, after: "without"))
      + Self.list(earlier, after: "earlier:")
      + Self.list(moved.filter { !earlier.contains($0) }, after: "later:")
  }

  /// The same, and where each line stands: `“finished” after “value 2”`.
  package var placedWords: [String] {
    if let whole { return whole }
    var last: String?
    var added: [String] = []
    for (mark, text) in texts where mark != "-" {
      if mark == "+" { added.append("“\(text)” " + (last.map { "after “\($0)”" } ?? "first")) }
      last = text
    }
    return added + Self.list(changes.removed, after: "without")
  }

  /// The words if the outcome has no line of the usual one, because it then stands there as it is.
  private var whole: [String]? {
    if texts.contains(where: { $0.mark != " " }) { return nil }
    let all = texts.map(\.text).filter { !$0.isEmpty }
    return all.isEmpty ? ["nothing"] : Self.list(all, after: "nothing but")
  }

  /// The lines with their marks, without the headings of lists.
  private var texts: [(mark: Character, text: String)] {
    lines.map { (mark: $0.dropFirst().first ?? " ", text: $0.dropFirst(2).trimmed) }
      .filter { $0.text != "requests:" }
  }

  /// The lines that are only in this outcome, only in the usual one, or at another place.
  private var changes: (added: [String], removed: [String], moved: [String]) {
    var added = texts.filter { $0.mark == "+" }.map(\.text)
    var removed: [String] = []
    var moved: [String] = []
    for (mark, text) in texts where mark == "-" {
      if let index = added.firstIndex(of: text) {
        moved.append(added.remove(at: index))
      } else {
        removed.append(text)
      }
    }
    return (added, removed, moved)
  }

  /// Phrases that make a list with words in front of it.
  private static func list(_ texts: [String], after words: String) -> [String] {
    texts.withoutRepeats().enumerated().map { ($0 == 0 ? "\(words) " : "") + "“\($1)”" }
  }
}

/// The table of a part, as it's printed.
private struct Table {
  var strips: [TimeStrips.Strip] = []
  var changes: [Int: OutcomeChanges] = [:]
  /// How many things were moved.
  var count = 0
  /// Where the sweep ended too early, in words.
  var cuts: [String] = []

  init(_ lines: [String]) {
    var outcome: Int?
    var isHead = true
    for line in lines {
      if line.isEmpty { isHead = false }
      if let match = line.wholeMatch(of: /(\d+)\. .+/) {
        outcome = Int(match.1)
      } else if let outcome {
        let isCommand = line.hasPrefix("   $ swift run ")
        if !line.isEmpty, !isCommand { changes[outcome, default: .init()].lines.append(line) }
      } else if let match = line.wholeMatch(of: /(.+), usually at (\S+)/),
        let usual = VirtualTime(parsing: String(match.2))
      {
        // A picture has no room for the place in the code.
        let name = String(match.1).replacing(#/ \(\S+:\d+\)$/#, with: "")
        strips.append(TimeStrips.Strip(name: name, usual: usual))
      } else if let match = line.wholeMatch(of: #/  (.+?) +outcome (\d+)(?:, as usual)?/#),
        !strips.isEmpty, let number = Int(match.2)
      {
        add(String(match.1), number)
      } else if isHead, let match = line.firstMatch(of: #/(\d+) things? moved, /#) {
        count = Int(match.1) ?? 0
      } else if isHead, !line.hasPrefix("# "), !line.isEmpty {
        cuts.append(line)
      }
    }
    shortenRequests()
  }

  /// Leaves out the server of requests if there's only one, because it makes their words long.
  private mutating func shortenRequests() {
    let request = #/(?<method> [A-Z]+ )(?<server>https?:\/\/[^\/ ]+)\//#
    let lines = changes.values.flatMap(\.lines)
    let servers = Set(lines.compactMap { $0.firstMatch(of: request)?.server })
    guard servers.count == 1 else { return }
    changes = changes.mapValues { changes in
      OutcomeChanges(lines: changes.lines.map { $0.replacing(request) { "\($0.method)/" } })
    }
  }

  /// Adds a range to the last strip.
  private mutating func add(_ words: String, _ outcome: Int) {
    let times = words.split(separator: " ").compactMap { VirtualTime(parsing: String($0)) }
    let last = strips.count - 1
    if words == "never" {
      strips[last].never = outcome
    } else if let start = times.first {
      let end = words.hasSuffix(" and later") ? nil : times.last
      strips[last].ranges.append(.init(start: start, end: end, outcome: outcome))
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
