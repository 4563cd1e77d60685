/// What a page of the course asks of its reader: minutes, and other pages first.
///
/// The minutes are those of reading its open text and its code, of predicting and running each of
/// its questions, and of its exercise. Folded text isn't counted.
struct Effort {
  private static let wordsPerMinute = 180.0
  private static let linesOfCodePerMinute = 25.0
  private static let minutesPerQuestion = 1.5
  private static let minutesPerExercise = 3.0

  let minutes: Int
  /// The names of the pages in the paragraph that begins with "Before this:".
  let pagesBefore: [String]

  init(page lines: [String]) {
    var (words, code, questions, exercises) = (0, 0, 0, 0)
    var isCode = false
    var folds = Folds()
    for line in lines.prefix(while: { $0 != "## Answers" }) {
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      guard folds.isOpen(line), !isFence else { continue }
      if isCode {
        code += line.isBlank ? 0 : 1
      } else {
        words += line.split(separator: " ").count
        questions += line.hasPrefix("**Predict:**") ? 1 : 0
        exercises += line == "## Exercise" ? 1 : 0
      }
    }
    let minutes =
      Double(words) / Self.wordsPerMinute + Double(code) / Self.linesOfCodePerMinute
      + Double(questions) * Self.minutesPerQuestion + Double(exercises) * Self.minutesPerExercise
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
}
