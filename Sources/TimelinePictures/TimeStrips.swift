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

  /// How an outcome differs from the usual one, in words.
  package func words(for outcome: Int) -> [String] {
    outcome == 1 ? ["as usual"] : changes[outcome]?.words ?? []
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
  fileprivate var lines: [String] = []

  /// A phrase for each change, to be separated by commas: `also “finished”`.
  package var words: [String] {
    let marked = lines.filter { "+-".contains($0.dropFirst().first ?? " ") }
    // An outcome that has no line of the usual one stands there as it is.
    if marked.isEmpty {
      let all = lines.map(\.trimmed).filter { !$0.isEmpty }
      return all.isEmpty ? ["nothing"] : Self.list(all, after: "nothing but")
    }
    func texts(_ mark: String) -> [String] {
      // Without the heading of a list.
      marked.filter { $0.hasPrefix(mark) }.map { $0.dropFirst(2).trimmed }
        .filter { $0 != "requests:" }
    }
    var (removed, added) = (texts(" -"), texts(" +"))
    // A line that's in both has only changed its place.
    var (earlier, later): ([String], [String]) = ([], [])
    for text in removed {
      guard let index = added.firstIndex(of: text) else { continue }
      added.remove(at: index)
      removed.remove(at: removed.firstIndex(of: text) ?? 0)
      let first = marked.first { $0.dropFirst(2).trimmed == text }
      if first?.hasPrefix(" +") ?? false { earlier.append(text) } else { later.append(text) }
    }
    let isReplaced = removed.count == 1 && added.count == 1
    return
      (isReplaced
      ? ["“\(added[0])” instead of “\(removed[0])”"]
      : Self.list(added, after: "also") + Self.list(removed, after: "without"))
      + Self.list(earlier, after: "earlier:") + Self.list(later, after: "later:")
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
