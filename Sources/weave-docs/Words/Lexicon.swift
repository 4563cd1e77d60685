/// The phrases to find, and the ones that are fine although they hold such a phrase.
struct Lexicon {
  struct Entry {
    /// As the style page spells it.
    let phrase: String
    /// The advice of a finding; `nil` for a phrase that is fine.
    let advice: String?
    let isCaseSensitive: Bool

    fileprivate let words: [[UInt8]]
    fileprivate let gaps: [Gap.Kind]

    /// - Returns: `nil` if the phrase has no words, or has punctuation between them.
    init?(_ phrase: String, advice: String?, isCaseSensitive: Bool) {
      var passage = Passage(hasSentences: false)
      passage.append(NumberedLine(number: 0, bytes: Array(phrase.utf8)[...]))
      let tokens = Tokenizer.tokens(of: passage).words
      guard !tokens.isEmpty, !tokens.dropFirst().contains(where: { $0.gap.kind == .punctuation })
      else { return nil }
      self.phrase = phrase
      self.advice = advice
      self.isCaseSensitive = isCaseSensitive
      words = tokens.map { token in
        let word = passage.text[token.range]
        return isCaseSensitive ? Array(word) : word.map(Byte.lowercased)
      }
      gaps = tokens.map(\.gap.kind)
    }

    fileprivate func matches(_ tokens: [Token], at index: Int, of text: [UInt8]) -> Bool {
      guard index + words.count <= tokens.count else { return false }
      for offset in words.indices {
        let token = tokens[index + offset]
        let isPart = offset == 0 || token.gap.kind == gaps[offset]
        guard isPart, !token.isOpaque, !token.isQuoted,
          token.range.count == words[offset].count
        else { return false }
        for (position, expected) in zip(token.range, words[offset]) {
          let byte = text[position]
          guard (isCaseSensitive ? byte : Byte.lowercased(byte)) == expected else { return false }
        }
      }
      return true
    }
  }

  /// Entries by their first word in lower case, the longest first.
  private let entries: [String: [Entry]]

  init(_ entries: [Entry]) {
    self.entries = Dictionary(grouping: entries) { entry in
      String(decoding: entry.words[0].map(Byte.lowercased), as: UTF8.self)
    }.mapValues { $0.sorted { $0.words.count > $1.words.count } }
  }

  /// The phrases of a passage that the lexicon has advice for, each with its line in the file.
  ///
  /// Of phrases that start at the same word the longest counts, and its words are used up: "there
  /// is no" hides the "is no" in it.
  func findings(in tokens: [Token], of text: [UInt8]) -> [(entry: Entry, line: Int)] {
    var findings: [(entry: Entry, line: Int)] = []
    var index = 0
    while index < tokens.count {
      if let entry = entry(at: index, in: tokens, of: text) {
        if entry.advice != nil { findings.append((entry, tokens[index].line)) }
        index += entry.words.count
      } else {
        index += 1
      }
    }
    return findings
  }

  private func entry(at index: Int, in tokens: [Token], of text: [UInt8]) -> Entry? {
    let token = tokens[index]
    guard !token.isOpaque, !token.isQuoted else { return nil }
    var word = text[token.range]
    for position in token.range { word[position] = Byte.lowercased(word[position]) }
    return entries[word.text]?.first { $0.matches(tokens, at: index, of: text) }
  }
}
