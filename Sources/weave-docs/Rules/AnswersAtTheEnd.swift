/// The rule that the answers to a page's questions stand at its end.
///
/// A question links its answer: `([Answer 2](#answer-2))`. The answers are the page's last section,
/// in the order of the questions. Each is a heading, `### Answer 2`, and a fold below it. So a
/// reader in a terminal doesn't see an answer next to its question, and other tools can hide it.
struct AnswersAtTheEnd {
  private let path: String
  private var problems: [Problem] = []
  private var questions = 0
  private var answers = 0
  /// Whether the section with the answers has begun.
  private var isInAnswers = false
  /// Whether the last line that isn't empty is the heading of an answer.
  private var followsAnswer = false

  static func problems(in pages: [WovenPage]) -> [Problem] {
    pages.filter { $0.path.hasPrefix("docs/scenarios/") }.flatMap { page in
      var rule = AnswersAtTheEnd(path: page.path)
      var fence: Fence?
      for line in page.lines {
        if let open = fence {
          if open.isClosed(by: line.text) { fence = nil }
        } else {
          fence = Fence(opening: line.text)
          rule.read(line.text.trimming(\.isWhitespace), at: line.origin)
        }
      }
      rule.compareCounts()
      return rule.problems
    }
  }

  private init(path: String) { self.path = path }

  private mutating func read(_ text: String, at line: Int) {
    if followsAnswer, !text.isEmpty, !text.hasPrefix("<details>") {
      report("an answer is folded: write <details> below its heading", at: line)
    }
    if !text.isEmpty { followsAnswer = false }
    if text.hasPrefix("## ") {
      if isInAnswers { report("'## Answers' is the last section: move this above it", at: line) }
      isInAnswers = text == "## Answers"
    } else if text.hasPrefix("### Answer ") {
      answers += 1
      followsAnswer = true
      if !isInAnswers || text != "### Answer \(answers)" {
        report("expected '### Answer \(answers)' below '## Answers'", at: line)
      }
    } else if text.contains("<summary>Answer") {
      report("answers stand below '## Answers': link them from their questions", at: line)
    }
    guard !isInAnswers else { return }
    for link in text.matches(of: /\(#answer-(\d+)\)/) {
      guard let number = Int(link.1), number > questions else { continue }
      questions += 1
      if number != questions { report("this question links #answer-\(questions)", at: line) }
    }
  }

  private mutating func compareCounts() {
    guard questions != answers else { return }
    report("questions link \(questions) answers, and there are \(answers)", at: 1)
  }

  private mutating func report(_ message: String, at line: Int) {
    problems.append(Location(path: path, line: line).problem(message))
  }
}
