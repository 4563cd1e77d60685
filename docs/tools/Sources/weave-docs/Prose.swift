/// The words of a page's open text as its author wrote it: no code, notes on code, headings or
/// folds, and nothing below the answers.
enum Prose {
  struct Word: Equatable {
    /// In lower case; empty for a code span.
    let text: String
    let line: Int
    /// Where the link leads whose title has the word.
    let target: String?
  }

  static func words(of page: WovenPage) -> [Word] {
    var fences = FenceReader()
    var folds = Folds()
    var open = page.lines.prefix { $0.text != "## Answers" }
    for index in open.indices {
      let line = page.lines[index]
      // All lines of a block have the place of its first one.
      let isWoven =
        page.lines.dropFirst(index + 1).first?.origin == line.origin
        || page.lines[..<index].last?.origin == line.origin
      let isText = folds.isOpen(line.text) && !fences.isCode(line.text)
      let isProse = isText && !isWoven && !line.text.hasPrefix("#") && !line.text.hasPrefix("<")
      if !isProse { open[index] = WovenLine(text: "", origin: line.origin) }
    }
    return open.split { $0.text.isBlank }.flatMap { paragraph in
      let text = paragraph.map(\.text).joined(separator: "\n")
      let origins = paragraph.map(\.origin)
      var (line, place) = (0, text.startIndex)
      return words(in: text[...]) { start in
        line += text[place..<start].count { $0 == "\n" }
        place = start
        return origins[line]
      } + [Word(text: "", line: origins[line], target: nil)]
    }
  }

  /// The words of a phrase.
  static func words(of phrase: String) -> [String] {
    words(in: phrase[...]) { _ in 0 }.map(\.text)
  }

  /// - Parameter line: The line at a place. Places only go forward.
  private static func words(
    in text: Substring, target: String? = nil, line: (String.Index) -> Int
  ) -> [Word] {
    let link = /\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*((?:[^()\s]|\([^()\s]*\))+)\s*\)/
    var words: [Word] = []
    var rest = text
    while let character = rest.first {
      let end: Substring
      if character == "`", let close = rest.dropFirst().firstIndex(of: "`") {
        words.append(Word(text: "", line: line(rest.startIndex), target: target))
        end = rest[close...].dropFirst()
      } else if character == "[", let match = rest.prefixMatch(of: link) {
        words += Self.words(in: match.1, target: String(match.2), line: line)
        end = rest[match.range.upperBound...]
      } else if isPartOfWord(character) {
        end = rest.drop(while: isPartOfWord)
        let word = rest[..<end.startIndex].lowercased()
        words.append(Word(text: word, line: line(rest.startIndex), target: target))
      } else {
        end = rest.dropFirst()
      }
      rest = end
    }
    return words
  }

  private static func isPartOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "-"
  }
}
