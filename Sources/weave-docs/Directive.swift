/// The request of a block, such as "this region of that file".
enum Directive: Equatable {
  case code(Excerpt, language: String)
  case snapshot(Excerpt)
  case diff(Excerpt, Excerpt)
  case picture(path: String)
  case scenarios
  case symbols(module: String)
  case navigation
  case purposes
  case families
  case sources(scenario: String?)

  /// A file or a named part of it, written `FILE` or `FILE#PART`.
  struct Excerpt: Equatable {
    var path: String
    var part: String?
    var lines: ClosedRange<Int>?
  }

  private static let codeUsage = "```LANGUAGE FILE[#REGION]"
  private static let snapshotUsage = "```text FILE.txt[#\"PART\"] [lines FIRST-LAST]"
  private static let diffUsage = "```diff FILE.txt[#\"PART\"] FILE.txt[#\"PART\"]"
  private static let pictureUsage = "<picture><img src=\"PATH/docs/pictures/SCENARIO/PART.svg\">"

  /// Each comment by name, as it's written.
  private static let lists = [
    "families": "<!-- families -->",
    "navigation": "<!-- navigation -->",
    "purposes": "<!-- purposes -->",
    "scenarios": "<!-- scenarios -->",
    "sources": "<!-- sources [SCENARIO] -->",
    "symbols": "<!-- symbols MODULE -->",
  ]

  /// How each kind of block begins.
  static let usages =
    [codeUsage, snapshotUsage, diffUsage, pictureUsage]
    + lists.sorted { $0.key < $1.key }.map(\.value)

  /// - Parameter location: Where the block begins.
  init(_ request: Page.Request, at location: Location) throws(Problem) {
    switch request {
    case .excerpt(let info): self = try Self.excerpt(info, at: location)
    case .list(let text): self = try Self.list(text, at: location)
    case .picture(let source):
      guard let source else {
        throw location.problem("this picture names no file: expected \(Self.pictureUsage)")
      }
      let folder = RelativePath.folder(of: location.path)
      guard let path = RelativePath.resolve(source, in: folder) else {
        throw location.problem("the picture \(source) leads out of the package")
      }
      self = .picture(path: path)
    }
  }

  private static func excerpt(
    _ info: String, at location: Location
  ) throws(Problem) -> Directive {
    var words = Words(try words(in: info, at: location))
    let language = words.next() ?? ""
    guard let excerpt = words.excerpt() else {
      throw location.problem("'\(info)' names no source: expected \(codeUsage)")
    }
    if language == "diff" {
      guard let other = words.excerpt(), words.isEmpty else {
        throw location.problem("'\(info)' isn't a difference: expected \(diffUsage)")
      }
      return .diff(excerpt, other)
    }
    guard excerpt.path.hasSuffix(".txt") else {
      guard words.isEmpty else {
        throw location.problem("'\(info)' isn't an excerpt of a source: expected \(codeUsage)")
      }
      return .code(excerpt, language: language)
    }
    var snapshot = excerpt
    let lines = words.option("lines")
    snapshot.lines = lines.flatMap(range)
    guard language == "text", words.isEmpty, (lines == nil) == (snapshot.lines == nil) else {
      throw location.problem("'\(info)' isn't an excerpt of a snapshot: expected \(snapshotUsage)")
    }
    return .snapshot(snapshot)
  }

  private static func list(_ text: String, at location: Location) throws(Problem) -> Directive {
    var words = Words(try words(in: text, at: location))
    let name = words.next() ?? ""
    let directive: Directive? =
      switch name {
      case "scenarios": .scenarios
      case "symbols": words.next().map { .symbols(module: $0) }
      case "navigation": .navigation
      case "purposes": .purposes
      case "families": .families
      case "sources": .sources(scenario: words.next())
      default: nil
      }
    guard let directive, words.isEmpty else {
      throw location.problem(
        "'<!-- \(text) -->' doesn't ask for a list: expected \(lists[name] ?? "")")
    }
    return directive
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
