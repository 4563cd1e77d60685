/// The rules that a sentence isn't too long, and doesn't begin with a bare "What" or "Who".
struct SentenceRules {
  let longest: Int

  /// Returns the problems of a passage's sentences.
  func problems(
    in tokens: [Token], rest: Gap, of text: [UInt8], path: String
  ) -> [Problem] {
    var problems: [Problem] = []
    var start = 0
    for index in tokens.indices {
      let isLast = index + 1 == tokens.count
      let gap = isLast ? rest : tokens[index + 1].gap
      guard isLast || ends(at: index, in: tokens, of: text) else { continue }
      let sentence = tokens[start...index]
      let location = Location(path: path, line: tokens[start].line)
      problems += complaints(about: sentence, end: gap.sentenceEnd, of: text).map(location.problem)
      start = index + 1
    }
    return problems
  }

  /// A mark doesn't end a sentence within a quotation, or with a small letter after it.
  private func ends(at index: Int, in tokens: [Token], of text: [UInt8]) -> Bool {
    let next = tokens[index + 1]
    let isWithinQuotation = tokens[index].isQuoted && next.isQuoted
    let startsSmall = !next.isOpaque && Byte.isSmall(text[next.range.lowerBound])
    return next.gap.sentenceEnd != nil && !isWithinQuotation && !startsSmall
  }

  private func complaints(
    about sentence: ArraySlice<Token>, end: Gap.SentenceEnd?, of text: [UInt8]
  ) -> [String] {
    var complaints: [String] = []
    let count = 1 + sentence.dropFirst().count { $0.gap.separatesWords }
    if count > longest {
      complaints.append(
        "a sentence of \(count) words: at most \(longest)"
          + " (it begins \"\(Self.beginning(of: sentence, in: text)) …\")")
    }
    let first = sentence[sentence.startIndex]
    let word = text[first.range].text
    let isBare = !first.isOpaque && !first.isQuoted && !first.gap.opensLink
    if isBare && ["What", "Who", "Whoever"].contains(word) && end != .question {
      complaints.append("a sentence that begins with \"\(word)\": name it, or ask a question")
    }
    return complaints
  }

  /// The first four words, as the text has them.
  private static func beginning(of sentence: ArraySlice<Token>, in text: [UInt8]) -> String {
    var (end, count) = (sentence[sentence.startIndex].range.lowerBound, 1)
    for token in sentence {
      if token.gap.separatesWords && token.range.lowerBound > end { count += 1 }
      if count > 4 { break }
      end = token.range.upperBound
    }
    return text[sentence[sentence.startIndex].range.lowerBound..<end].text
      .filter { $0 != "*" }
      .split { $0.isWhitespace }.joined(separator: " ")
  }
}
