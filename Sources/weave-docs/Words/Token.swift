/// A word of a passage.
struct Token {
  /// Where it stands in the passage's text.
  let range: Range<Int>
  /// Its line in the file.
  let line: Int
  /// Whether it counts as a word but isn't read: a code span, a URL, an interpolation.
  let isOpaque: Bool
  /// Whether it stands between quotation marks.
  let isQuoted: Bool
  /// The gap before it.
  let gap: Gap
}

/// The space and punctuation between two words.
struct Gap {
  enum Kind {
    /// Nothing, or only marks of emphasis and links.
    case nothing
    case space
    case hyphen
    case apostrophe
    /// Other punctuation: no phrase goes across it.
    case punctuation
  }

  enum SentenceEnd {
    case statement
    case question
  }

  var kind = Kind.nothing
  /// Whether two words count as two: "time-out" is one.
  var separatesWords = false
  /// How a sentence ends here, if it does.
  var sentenceEnd: SentenceEnd?
  /// Whether a link's text starts here.
  var opensLink = false

  /// A `.`, `!` or `?` that ends a sentence if only closing marks and then a space follow.
  private var candidate: SentenceEnd?

  mutating func addSpace() {
    kind = kind == .nothing || kind == .space ? .space : .punctuation
    separatesWords = true
    opensLink = false
    finish()
  }

  /// The end of the passage can end a sentence as a space does.
  mutating func finish() {
    if sentenceEnd == nil { sentenceEnd = candidate }
    candidate = nil
  }

  /// Adds a mark. Next to another mark, it counts as punctuation.
  mutating func add(_ mark: Kind) {
    kind = kind == .nothing ? mark : .punctuation
    if mark != .apostrophe { candidate = nil }
    opensLink = false
  }

  mutating func addClosingMark() {
    kind = .punctuation
    opensLink = false
  }

  mutating func addEnd(_ end: SentenceEnd) {
    kind = .punctuation
    candidate = candidate == .question ? .question : end
    opensLink = false
  }

  mutating func addDash() {
    add(.punctuation)
    separatesWords = true
  }
}
