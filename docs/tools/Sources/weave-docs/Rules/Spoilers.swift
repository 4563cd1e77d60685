/// The rules for questions to predict: each names the command that runs its part, and no open text
/// of the page shows the run that the answer folds.
enum Spoilers {
  static func problems(in pages: [WovenPage]) -> [Problem] {
    pages.filter { $0.path.hasPrefix("docs/scenarios/") }.flatMap { page in
      commands(of: page) + spoilers(of: page)
    }
  }

  /// Each question whose answer shows a run needs a command.
  private static func commands(of page: WovenPage) -> [Problem] {
    let lines = page.lines.map(\.text)
    let name = RelativePath.name(of: page.path).dropLast(".md".count)
    return lines.indices.compactMap { index in
      guard lines[index].hasPrefix("**Predict:**") else { return nil }
      let question = lines[index...].prefix { !$0.isBlank }.joined(separator: " ")
      guard let number = question.firstMatch(of: /#answer-(\d+)\)/)?.1,
        answer(String(number), in: lines).contains(where: { $0.hasPrefix("```text transcript.txt") }
        ),
        !question.contains("swift run \(name)")
      else { return nil }
      return Location(path: page.path, line: page.lines[index].origin).problem(
        "this question doesn't say how to run its part: add `swift run \(name) --part …`")
    }
  }

  /// No open block shows a run, or a picture of it, that an answer shows.
  private static func spoilers(of page: WovenPage) -> [Problem] {
    guard let start = page.lines.firstIndex(where: { $0.text == "## Answers" }) else { return [] }
    let answered = Set(page.lines[start...].flatMap { runs(in: $0.text) })
    return open(page.lines[..<start]).flatMap { line in
      runs(in: line.text).filter(answered.contains).map { run in
        Location(path: page.path, line: line.origin).problem(
          "this shows \(run), which an answer folds: leave it to the answer")
      }
    }
  }

  private static func answer(_ number: String, in lines: [String]) -> ArraySlice<String> {
    guard let start = lines.firstIndex(of: "### Answer \(number)") else { return [] }
    return lines[(start + 1)...].prefix { !$0.hasPrefix("### Answer ") }
  }

  /// The parts of runs that a line shows: it opens a block of output, or names a picture.
  private static func runs(in line: String) -> [String] {
    if line.hasPrefix("```") {
      return line.matches(of: /transcript\.txt#("[^"]+")/).map { "the run of \($0.1)" }
    }
    return line.matches(of: /src="([^"]+)"/).map { "the picture \($0.1)" }
  }

  /// The lines that a reader sees before unfolding anything.
  private static func open(_ lines: ArraySlice<WovenLine>) -> [WovenLine] {
    var folds = Folds()
    return lines.filter { folds.isOpen($0.text) }
  }
}
