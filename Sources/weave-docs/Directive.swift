/// The request of a block, such as "this region of that file".
enum Directive: Equatable {
  case code(Excerpt, folded: String?)
  case snapshot(Excerpt, folded: String?)
  case diff(Excerpt, Excerpt, folded: String?)
  case scenarios
  case symbols(module: String)
  case navigation
  case sources(scenario: String?)

  /// A file or a named part of it, written `FILE` or `FILE#PART`.
  struct Excerpt: Equatable {
    let path: String
    var part: String?
    var lines: ClosedRange<Int>?
  }

  /// Each directive by name, with its arguments.
  static let usages = [
    ("code", "code FILE[#REGION] [folded \"SUMMARY\"]"),
    ("snapshot", "snapshot FILE[#\"PART\"] [lines FIRST-LAST] [folded \"SUMMARY\"]"),
    ("diff", "diff FILE[#\"PART\"] FILE[#\"PART\"] [folded \"SUMMARY\"]"),
    ("scenarios", "scenarios"),
    ("symbols", "symbols MODULE"),
    ("navigation", "navigation"),
    ("sources", "sources [SCENARIO]"),
  ]

  /// Reads the text after `weave:` in a block's opening.
  init(_ text: String, at location: Location) throws(Problem) {
    var words = Words(try Self.words(in: text, at: location))
    let name = words.next() ?? ""
    guard let usage = Self.usages.first(where: { $0.0 == name })?.1 else {
      let names = Self.usages.map(\.0).joined(separator: ", ")
      throw location.problem("unknown directive '\(name)': expected one of \(names)")
    }
    guard let directive = Self.directive(name, &words), words.isEmpty else {
      throw location.problem("'\(text)' isn't a directive: expected \(usage)")
    }
    self = directive
  }

  private static func directive(_ name: String, _ words: inout Words) -> Directive? {
    switch name {
    case "code":
      guard let excerpt = words.excerpt() else { return nil }
      return .code(excerpt, folded: words.option("folded"))
    case "snapshot":
      guard var excerpt = words.excerpt() else { return nil }
      if let lines = words.option("lines") {
        guard let range = range(lines) else { return nil }
        excerpt.lines = range
      }
      return .snapshot(excerpt, folded: words.option("folded"))
    case "diff":
      guard let old = words.excerpt(), let new = words.excerpt() else { return nil }
      return .diff(old, new, folded: words.option("folded"))
    case "scenarios": return .scenarios
    case "symbols": return words.next().map { .symbols(module: $0) }
    case "navigation": return .navigation
    case "sources": return .sources(scenario: words.next())
    default: return nil
    }
  }

  private static func range(_ text: String) -> ClosedRange<Int>? {
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = bounds.first ?? nil, let last = bounds.last ?? nil,
      bounds.count <= 2, 1 <= first, first <= last
    else { return nil }
    return first...last
  }

  /// Splits the text at spaces. Between quotation marks, a space is part of the word.
  private static func words(
    in text: String, at location: Location
  ) throws(Problem) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character.isWhitespace && !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard !isQuoted else { throw location.problem("'\(text)' has no closing quotation mark") }
    return words + (word.map { [$0] } ?? [])
  }
}

/// The words of a directive, taken from the first to the last.
private struct Words {
  private var words: ArraySlice<String>

  init(_ words: [String]) { self.words = words[...] }

  var isEmpty: Bool { words.isEmpty }

  mutating func next() -> String? { words.popFirst() }

  mutating func excerpt() -> Directive.Excerpt? {
    guard let word = words.popFirst() else { return nil }
    let sides = word.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard !sides.contains("") else { return nil }
    return Directive.Excerpt(
      path: String(sides[0]), part: sides.count == 2 ? String(sides[1]) : nil)
  }

  /// The word after a keyword, if the keyword and a word are next.
  mutating func option(_ keyword: String) -> String? {
    guard words.count >= 2, words.first == keyword else { return nil }
    words.removeFirst()
    return words.popFirst()
  }
}
