/// The rules for the list of misconceptions: the answer to each question to predict leads to one of
/// them, and each of them has an answer or an exercise that leads to it.
enum Misconceptions {
  static let page = "docs/misconceptions.md"

  static func problems(in pages: [WovenPage]) -> [Problem] {
    let questions = pages.filter { $0.path.hasPrefix("docs/scenarios/") }.flatMap(questions)
    let exercises = pages.filter { $0.path.hasPrefix("docs/exercises/") }
    let linked = Set(
      questions.flatMap(\.links) + exercises.flatMap { links(in: $0.lines[...], of: $0.path) })
    return questions.filter(\.links.isEmpty).map {
      $0.location.problem(
        "the answer to this question doesn't name the belief behind a wrong one: link a heading of"
          + " \(page) in its fold")
    }
      + headings(in: pages).filter { !linked.contains($0.anchor) }.map {
        $0.location.problem(
          "no answer and no exercise leads to this misconception: link #\($0.anchor) from one, or"
            + " remove it")
      }
  }

  private static func questions(
    of page: WovenPage
  ) -> [(location: Location, links: [String])] {
    page.lines.indices.filter { page.lines[$0].text.hasPrefix("**Predict:**") }.map { index in
      let location = Location(path: page.path, line: page.lines[index].origin)
      return (location, links(in: answer(to: index, in: page.lines), of: page.path))
    }
  }

  /// The answer that a question names, or else the fold right below it.
  private static func answer(to index: Int, in lines: [WovenLine]) -> ArraySlice<WovenLine> {
    let question = lines[index...].prefix { !$0.text.isBlank }.map(\.text).joined(separator: " ")
    let heading = question.firstMatch(of: /#answer-(\d+)\)/).map { "### Answer \($0.1)" }
    let start = lines.firstIndex { $0.text == heading } ?? index
    return lines[(start + 1)...].prefix { line in
      !["## ", "### Answer ", "**Predict:**"].contains { line.text.hasPrefix($0) }
    }
  }

  /// The anchors of the list that lines link.
  private static func links(in lines: ArraySlice<WovenLine>, of path: String) -> [String] {
    LinkScanner.links(in: lines.map(\.text)).compactMap { link in
      let (target, anchor) = link.parts
      let folder = RelativePath.folder(of: path)
      return RelativePath.resolve(target, in: folder) == page ? anchor : nil
    }
  }

  private static func headings(in pages: [WovenPage]) -> [(location: Location, anchor: String)] {
    let lines = pages.first { $0.path == page }?.lines ?? []
    return lines.filter { $0.text.hasPrefix("## ") }.map { line in
      (Location(path: page, line: line.origin), Anchors.name(of: String(line.text.dropFirst(3))))
    }
  }
}
