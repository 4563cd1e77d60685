/// The request of a code block, such as "this region of that file".
enum Directive: Equatable {
  case code(Excerpt, language: String)
  case snapshot(Excerpt)
  case diff(Excerpt, Excerpt)

  /// A file or a named part of it, written `FILE` or `FILE#PART`.
  struct Excerpt: Equatable {
    var path: String
    var part: String?
    var lines: ClosedRange<Int>?

    init?(_ word: String) {
      guard let match = word.wholeMatch(of: /([^#]+)(?:#(.+))?/) else { return nil }
      path = String(match.1)
      part = match.2.map { $0.trimming { $0 == "\"" } }
    }
  }

  private static let usages = [
    "code": "```LANGUAGE FILE[#REGION]",
    "diff": "```diff FILE.txt[#\"PART\"] FILE.txt[#\"PART\"]",
    "text": "```text FILE.txt[#\"PART\"] [lines FIRST-LAST]",
  ]

  /// - Parameters:
  ///   - info: The text after the backticks: a language and a source.
  ///   - location: Where the block begins.
  init(_ info: String, at location: Location) throws(Problem) {
    // Between quotation marks, a space is part of the word.
    let words = info.matches(of: /(?:"[^"]*"|[^\s"])+/).map { String($0.0) }
    let isQuoted = info.count { $0 == "\"" }.isMultiple(of: 2)
    let (language, excerpts) = (words.first ?? "", words.dropFirst().compactMap(Excerpt.init))
    let isSnapshot = excerpts.first?.path.hasSuffix(".txt") ?? false
    let kind = language == "diff" ? "diff" : isSnapshot ? "text" : "code"
    let lines = words.count == 4 && words[2] == "lines" ? Self.range(words[3]) : nil
    switch (kind, isQuoted ? words.count : 0) {
    case ("diff", 3) where excerpts.count == 2: self = .diff(excerpts[0], excerpts[1])
    case ("code", 2) where excerpts.count == 1: self = .code(excerpts[0], language: language)
    case ("text", 2) where language == "text": self = .snapshot(excerpts[0])
    case ("text", 4) where language == "text" && lines != nil:
      var excerpt = excerpts[0]
      excerpt.lines = lines
      self = .snapshot(excerpt)
    default: throw location.problem("can't read '\(info)': expected \(Self.usages[kind] ?? "")")
    }
  }

  private static func range(_ text: String) -> ClosedRange<Int>? {
    guard let match = text.wholeMatch(of: /(\d+)(?:-(\d+))?/), let first = Int(match.1),
      let last = Int(match.2 ?? match.1), 1 <= first, first <= last
    else { return nil }
    return first...last
  }
}
