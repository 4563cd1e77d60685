/// The prose of a scenario's help: its paragraphs, and the text about each option.
enum HelpText {
  static func passages(in lines: [NumberedLine]) -> [Passage] {
    var passages: [Passage] = []
    var isContinued = false
    var isUsage = false
    for line in lines {
      let content = line.bytes.trimmed
      let isIndented = line.bytes.first == Byte.space
      if content.isEmpty {
        (isContinued, isUsage) = (false, false)
      } else if isUsage || content.hasPrefix("usage:") || content.hasPrefix("Usage:") {
        isUsage = true
      } else if isIndented, let gap = content.firstIndex(of: "  ", from: content.startIndex) {
        let text = NumberedLine(number: line.number, bytes: content[gap...].trimmed)
        passages.append(Passage(text, hasSentences: true))
        isContinued = true
      } else {
        if !isContinued { passages.append(Passage(hasSentences: true)) }
        passages[passages.count - 1].append(NumberedLine(number: line.number, bytes: content))
        isContinued = true
      }
    }
    return passages
  }
}
