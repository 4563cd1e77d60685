import Foundation
import TestSupport
import Testing
import VirtualTime

@testable import Timeline
@testable import TimelinePictures

/// What a picture of times is read from.
struct TimeStripsTests {
  private static let table = [
    "4 things moved, 41 runs: 5 outcomes", "stopped by Ctrl-C before action 9 was moved everywhere",
    "",
    "action 1: typed a (b) (main.swift:61), usually at 5ms",
    "  0ms to 4ms       outcome 2",
    "  at 6ms           outcome 3",
    "  7ms and later    outcome 1, as usual",
    "  never            outcome 4",
    "",
    "the response to GET /a, usually at 9ms",
    "  0ms and later  outcome 1, as usual",
    "  never          outcome 5",
    "",
    "at any time: GET /b, taps value 3",
    "",
    "1. the usual times",
    "   a",
    "   b",
    "",
    "2. if action 1 comes at 4ms",
    "   $ swift run x --part 1 --move 'action 1 to 4ms'",
    " - a",
    "   b",
    " + a",
    "",
    "3. if action 1 comes at 6ms",
    "   $ swift run x --part 1 --move 'action 1 to 6ms'",
    " - a",
    " + 2. c",
    "   b",
  ]

  @Test func readsThingsWithSeveralRanges() throws {
    let strips = try TimeStrips(table: Self.table)
    // The response has one range, so it has no strip.
    #expect(strips.strips.map(\.name) == ["action 1: typed a (b)"])
    let strip = try #require(strips.strips.first)
    #expect(strip.usual == .milliseconds(5))
    #expect(
      strip.ranges == [
        .init(start: .zero, end: .milliseconds(4), outcome: 2),
        .init(start: .milliseconds(6), end: .milliseconds(6), outcome: 3),
        .init(start: .milliseconds(7), end: nil, outcome: 1),
      ])
    #expect(strip.never == 4)
    #expect(strips.outcomes == [1, 2, 3, 4])
    #expect(
      strips.remarks == [
        "stopped by Ctrl-C before action 9 was moved everywhere",
        "3 more things can come at any time.",
      ])
    #expect(
      strips.description == """
        action 1: typed a (b), usually at 5ms: outcome 2 from 0ms to 4ms, outcome 3 at 6ms, \
        outcome 1 from 7ms, outcome 4 if it never comes. Outcome 1: as usual. Outcome 2: later: “a”. \
        Outcome 3: “2. c” instead of “a”. Outcome 4: . \
        stopped by Ctrl-C before action 9 was moved everywhere 3 more things can come at any time.
        """)
  }

  @Test(arguments: [
    ([" + a", "   b", " - a"], ["earlier: “a”"]),
    ([" - a", "   b", " + a", " + c"], ["also “c”", "later: “a”"]),
    ([" + a", " + b", "   c", " - d"], ["also “a”", "“b”", "without “d”"]),
    ([" - a", " - a", "   b"], ["without “a”"]),
    ([" - requests:", " -   GET https://a.example/x", "   b"], ["without “GET /x”"]),
    (
      [" - GET https://a.example/", " + GET http://b.example/"],
      ["“GET http://b.example/” instead of “GET https://a.example/”"]
    ),
    // Nothing is as in the usual outcome.
    (["   c", "   d"], ["nothing but “c”", "“d”"]),
    ([" "], ["nothing"]),
  ])
  func anOutcomeIsItsChanges(lines: [String], words: [String]) throws {
    let strips = try TimeStrips(
      table: [
        "1 thing moved, 9 runs: 2 outcomes", "", "action 1, usually at 5ms",
        "  0ms to 4ms     outcome 2", "  5ms and later  outcome 1, as usual", "",
        "1. the usual times", "   b", "", "2. if action 1 comes at 4ms",
      ] + lines)
    #expect(strips.words(for: 2) == words)
    #expect(strips.words(for: 1) == ["as usual"])
  }

  /// Outcomes with the same changes at other places.
  @Test func placesWhatOtherOutcomesHaveToo() throws {
    let strips = try TimeStrips(
      table: [
        "1 thing moved, 9 runs: 5 outcomes", "", "action 1, usually at 5ms",
        "  at 1ms  outcome 2", "  at 2ms  outcome 3", "  at 3ms  outcome 4", "  at 4ms  outcome 5",
        "  at 5ms  outcome 6", "  6ms and later  outcome 1, as usual", "", "1. the usual times",
        "   a", "   b", "", "2. if action 1 comes at 1ms", "   a", " + x", "   b", "",
        "3. if action 1 comes at 2ms", "   … 5 lines as in the first outcome", "   b", " + x", "",
        "4. if action 1 comes at 3ms", " + x", "   a", "   … 5 lines as in the first outcome", "",
        "5. if action 1 comes at 4ms", " - a", "   b", " + a", "   c", "",
        "6. if action 1 comes at 5ms", " - a", "   b", "   c", " + a",
      ])
    #expect(strips.words(for: 2) == ["“x” after “a”"])
    #expect(strips.words(for: 3) == ["“x” after “b”"])
    #expect(strips.words(for: 4) == ["“x” first"])
    #expect(strips.words(for: 5) == ["“a” after “b”"])
    #expect(strips.words(for: 6) == ["“a” after “c”"])
  }

  @Test func tellsWhyThereIsNoPicture() {
    func refusal(_ lines: [String]) -> TimeStrips.Refusal? {
      do throws(TimeStrips.Refusal) {
        _ = try TimeStrips(table: lines)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(["nothing was moved: this decides no times"]) == .oneOutcome)
    #expect(
      refusal([
        "time-independent: 1 thing moved, 5 runs, and if something never comes, 2 outcomes", "",
        "GET /a, usually at 1ms", "  0ms and later  outcome 1, as usual", "  never  outcome 2",
      ]) == .oneOutcome)
    func table(_ count: Int) -> [String] {
      ["1 thing moved, 99 runs: \(count) outcomes", "", "action 1, usually at 1ms"]
        + (0..<count).map { "  at \($0)ms  outcome \($0 + 1)" }
    }
    #expect(refusal(table(7)) == nil)
    #expect(refusal(table(8)) == .outcomes(8))
    #expect(
      "\(TimeStrips.Refusal.outcomes(8))" == "8 outcomes are more than a picture can tell apart")
  }
}

/// What a picture of times shows, read back from the SVG, is what its table says.
struct TimeStripsPictureTests {
  /// A range, as both say it.
  private struct Range: Hashable, CustomStringConvertible {
    let start: Int
    let outcome: String
    var description: String { "\(outcome) from \(start)ms" }
  }

  /// A thing, as both say it.
  private struct Strip: Equatable {
    var name: String
    var ranges: [Range] = []
    var never: String?
  }

  /// The strips of a table, by its words.
  private static func strips(of table: [String]) -> [Strip] {
    var strips: [Strip] = []
    for line in table.prefix(while: { !$0.hasPrefix("1. ") }) {
      let words = line.split(separator: " ").map(String.init)
      if let name = line.split(separator: ", usually at ").first, line.contains(", usually at ") {
        let place = name.lastIndex(of: "(").map {
          name[$0...].contains(".swift:") ? $0 : name.endIndex
        }
        strips.append(
          Strip(name: name[..<(place ?? name.endIndex)].trimmingCharacters(in: .whitespaces)))
      } else if line.hasPrefix("  "), let place = words.firstIndex(of: "outcome") {
        let outcome = words[place + 1].replacingOccurrences(of: ",", with: "")
        if words[0] == "never" {
          strips[strips.count - 1].never = outcome
        } else {
          let time = words[0] == "at" ? words[1] : words[0]
          strips[strips.count - 1].ranges.append(
            Range(start: Int(time.dropLast(2)) ?? -1, outcome: outcome))
        }
      }
    }
    return strips.filter { Set($0.ranges.map(\.outcome)).count > 1 }
  }

  /// The strips of a picture, by the places and the classes of its boxes.
  private static func strips(in svg: String) throws -> [Strip] {
    // Which class the box of each outcome has, by the key.
    let pieces = svg.components(separatedBy: "<g id=\"key\">")
    let key = try #require(pieces.count == 2 ? pieces[1] : nil)
    let swatches = key.matches(
      of:
        /<path class="(p|v\d)" d="M[\d.]+ [\d.]+h22v18h-22z"\/><text class="y f j" [^>]*>(\d+)<\/text>/
    )
    let classes = Dictionary(uniqueKeysWithValues: swatches.map { ($0.2, $0.1) })
    #expect(Set(classes.values).count == classes.count)
    let groups = pieces[0].components(separatedBy: "<g id=\"strip").dropFirst()
    return try groups.map { group in
      let names = group.matches(of: /<text class="t" [^>]*>([^<]*)<\/text>/).map { String($0.1) }
      var strip = Strip(name: names.joined(separator: " "))
      let boxes = group.matches(
        of:
          /<g><title>([^<:]*): outcome (\d+)<\/title><path class="(p|v\d)" d="M([\d.]+) ([\d.]+)h([\d.]+)/
      )
      var places: [(start: Double, x: Double)] = []
      for box in boxes {
        let outcome = String(box.2)
        #expect(classes[box.2] == box.3, "\(box.0)")
        if box.1 == "never" {
          strip.never = outcome
          continue
        }
        let time = try #require(box.1.firstMatch(of: /(?:from|at) (\d+)ms/)?.1)
        let x = try #require(Double(box.4))
        places.append((try #require(Double(time)), x))
        strip.ranges.append(Range(start: Int(time) ?? -1, outcome: outcome))
      }
      strip.ranges.sort { $0.start < $1.start }
      // All lie on one straight axis from the left edge, to half a pixel.
      let last = try #require(places.max { $0.start < $1.start })
      for place in places where last.start > 0 {
        let expected = 12 + (last.x - 12) * place.start / last.start
        #expect(abs(place.x - expected) <= 0.75, "\(place) and \(last)")
      }
      return strip
    }
  }

  /// A table of random ranges.
  private static func randomTable(_ seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...7, using: &random)
    let lengths = [1, 5, 60, 3_000, 90_000]
    var lines: [String] = []
    for thing in 1...Int.random(in: 1...4, using: &random) {
      let name = String(repeating: "/very-long", count: Int.random(in: 0...9, using: &random))
      var rows: [String] = []
      var time = Bool.random(using: &random) ? 0 : Int.random(in: 0...2_000, using: &random)
      let earliest = time
      for _ in 1...Int.random(in: 1...6, using: &random) {
        let outcome = Int.random(in: 1...count, using: &random)
        let length = Int.random(
          in: 1...(lengths.randomElement(using: &random) ?? 1), using: &random)
        let words = length == 1 ? "at \(time)ms" : "\(time)ms to \(time + length - 1)ms"
        rows.append("  \(words)  outcome \(outcome)")
        time += length
      }
      rows.append("  \(time)ms and later  outcome 1, as usual")
      let usual = Int.random(in: earliest...time, using: &random)
      if Bool.random(using: &random) { rows.append("  never  outcome \(count)") }
      lines += ["", "the response to GET \(name)/\(thing), usually at \(usual)ms"] + rows
    }
    return ["9 things moved, 99 runs: \(count) outcomes"] + lines
  }

  /// Checks that both say the same, and that everything lies in the picture.
  private func expectSame(_ table: [String], _ style: Timeline.PictureStyle) throws {
    guard let strips = try? TimeStrips(table: table) else { return }
    let svg = strips.svg(title: "load-page: <A> & \"B\"", style: style)
    #expect(PictureReader(svg).error == nil)
    var expected = Self.strips(of: table)
    var shown = try Self.strips(in: svg)
    // Names may be broken where there's no space.
    for index in expected.indices { expected[index].name.removeAll { $0 == " " } }
    for index in shown.indices { shown[index].name.removeAll { $0 == " " } }
    #expect(shown == expected)
    let width = Double(style.width)
    let reader = PictureReader(svg)
    var texts: [(left: Double, right: Double, y: Double)] = []
    for element in reader.elements where element.name == "text" {
      let isMiddle = element.classes.contains("j")
      // An average character of the fonts is about as wide as this.
      let length = Double(element.text.count) * (element.classes.contains("i") ? 6.4 : 6.6)
      let left = element.number("x") - (isMiddle ? length / 2 : 0)
      #expect(left >= 8 && left + length <= width - 2, "\(element.text)")
      texts.append((left, left + length, element.number("y")))
    }
    for (index, text) in texts.enumerated() {
      for other in texts[..<index] where abs(other.y - text.y) < 8 {
        #expect(other.right <= text.left || text.right <= other.left, "\(other) \(text)\n\(svg)")
      }
    }
  }

  @Test(arguments: 0..<60, Timeline.PictureStyle.allCases)
  func aPictureShowsWhatItsTableSays(seed: UInt64, style: Timeline.PictureStyle) throws {
    try expectSame(Self.randomTable(seed), style)
  }

  /// The tables of all scenarios.
  @Test(arguments: Timeline.PictureStyle.allCases)
  func thePictureOfAScenarioShowsWhatItsTableSays(style: Timeline.PictureStyle) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../ScenarioTests/Snapshots").standardized
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.contains("sweep") || $0.contains("responses.txt") }
    #expect(!paths.isEmpty)
    var count = 0
    for path in paths {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      for part in text.components(separatedBy: "\n# ").dropFirst() {
        let table = part.components(separatedBy: "\n").dropFirst()
        if let strips = try? TimeStrips(table: Array(table)) {
          count += 1
          // A reader has to tell them apart.
          let words = strips.outcomes.map { strips.words(for: $0) }
          #expect(Set(words).count == words.count, "\(path): \(words)")
        }
        try expectSame(Array(table), style)
      }
    }
    #expect(count > 9)
  }
}
