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
    let language = words.first ?? ""
    let excerpts = words.dropFirst().map { Excerpt($0) }
    let isSnapshot = excerpts.first??.path.hasSuffix(".txt") ?? false
    let kind = language == "diff" ? "diff" : isSnapshot ? "text" : "code"
    let isQuoted = info.count { $0 == "\"" }.isMultiple(of: 2)
    switch (kind, excerpts.count) {
    case ("diff", 2):
      if let old = excerpts[0], let new = excerpts[1], isQuoted {
        self = .diff(old, new)
        return
      }
    case ("code", 1):
      if let excerpt = excerpts[0], isQuoted {
        self = .code(excerpt, language: language)
        return
      }
    case ("text", 1), ("text", 3):
      if var excerpt = excerpts[0], language == "text", isQuoted {
        excerpt.lines = words.count == 4 && words[2] == "lines" ? Self.range(words[3]) : nil
        if (excerpt.lines == nil) == (words.count == 2) {
          self = .snapshot(excerpt)
          return
        }
      }
    default: break
    }
    throw location.problem("can't read '\(info)': expected \(Self.usages[kind] ?? "")")
  }

  private static func range(_ text: String) -> ClosedRange<Int>? {
    guard let match = text.wholeMatch(of: /(\d+)(?:-(\d+))?/), let first = Int(match.1),
      let last = Int(match.2 ?? match.1), 1 <= first, first <= last
    else { return nil }
    return first...last
  }
}
