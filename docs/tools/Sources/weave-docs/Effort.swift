/// What a page of the course asks of its reader: minutes, and other pages first.
///
/// The minutes are those of reading its text, its code and its answers, of predicting and running
/// each of its questions, and of its exercises. Other folds aren't counted, such as a run as text,
/// because a reader needs none of them.
struct Effort {
  private static let wordsPerMinute = 180.0
  private static let linesOfCodePerMinute = 25.0
  private static let minutesPerQuestion = 1.5
  /// For an exercise that has no page of its own.
  private static let minutesPerExercise = 3.0

  let minutes: Int
  /// The names of the pages in the paragraph that begins with "Before this:".
  let pagesBefore: [String]

  /// - Parameter minutesOfExercise: The minutes that an exercise adds, by the name of its page.
  init(page lines: [String], minutesOfExercise: (String) -> Int = { _ in 0 }) {
    let text = ReadText(lines)
    let exercises = Exercises(lines)
    let minutes =
      Double(text.words) / Self.wordsPerMinute
      + Double(text.linesOfCode) / Self.linesOfCodePerMinute
      + Double(text.questions) * Self.minutesPerQuestion
      + (exercises.hasOwn ? Self.minutesPerExercise : 0)
      + Double(exercises.names.map(minutesOfExercise).reduce(0, +))
    self.minutes = Int(minutes.rounded())
    let start = lines.firstIndex { $0.hasPrefix("Before this:") } ?? lines.endIndex
    let paragraph = lines[start...].prefix { !$0.isBlank }.joined(separator: " ")
    pagesBefore = paragraph.matches(of: /\]\(([a-z0-9-]+)\.md/).map { String($0.1) }
  }

  /// For the list of the course: `12 minutes, after demand`; `nil` for a page of a minute or less.
  var description: String? {
    if minutes < 2 { return nil }
    let before = pagesBefore.isEmpty ? "" : ", after \(pagesBefore.joined(separator: ", "))"
    return "\(minutes) minutes\(before)"
  }

  /// The minutes that an exercise's page tells, as in "About 4 minutes."; 0 if it tells none.
  static func minutes(ofExercise lines: [String]) -> Int {
    lines.lazy.compactMap { $0.prefixMatch(of: /About (\d+) minutes/) }.first
      .flatMap { Int($0.1) } ?? 0
  }

  /// The names of the exercises' pages that a page lists.
  static func exercises(of lines: [String]) -> [String] { Exercises(lines).names }
}

/// Counts what a reader of a page reads: its open text and code, and those of its answers.
private struct ReadText {
  private(set) var words = 0
  private(set) var linesOfCode = 0
  private(set) var questions = 0

  init(_ lines: [String]) {
    var (isCode, isList, isAnswer) = (false, false, false)
    var depth = 0
    for line in lines {
      if line.hasPrefix("```") {
        isCode.toggle()
        continue
      }
      if line == "## Answers" { isAnswer = true }
      if line.contains("<details>") { depth += 1 }
      if line.hasPrefix("</details>") { depth -= 1 }
      // The tool writes these lists: links to sources, and to other pages.
      isList = line.hasPrefix("<!--") || isList && !line.isBlank
      // An answer is a fold, and what it folds in turn isn't.
      guard depth <= (isAnswer ? 1 : 0) else { continue }
      if isCode {
        linesOfCode += line.isBlank ? 0 : 1
      } else if !isList, !line.drop(while: { $0 == " " }).hasPrefix("<") {
        words += line.split(separator: " ").count
        questions += line.hasPrefix("**Predict:**") ? 1 : 0
      }
    }
  }
}

/// The exercises in the section "Exercise" of a page.
private struct Exercises {
  /// The names of those with a page of their own.
  let names: [String]
  /// Whether there's one without: the section begins with something else than links to such pages.
  let hasOwn: Bool

  init(_ lines: [String]) {
    let link = /\]\(\.\.\/exercises\/([a-z0-9-]+)\.md/
    let start = lines.firstIndex { $0 == "## Exercise" || $0 == "## Exercises" }
    let section = lines[(start.map { $0 + 1 } ?? lines.endIndex)...]
      .prefix { !$0.hasPrefix("## ") }
    names = section.flatMap { $0.matches(of: link).map { String($0.1) } }
    let first = section.drop(while: \.isBlank).prefix { !$0.isBlank }
    hasOwn = !first.isEmpty && !first.contains { $0.contains(link) }
  }
}
