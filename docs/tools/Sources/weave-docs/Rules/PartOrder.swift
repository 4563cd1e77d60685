/// The rule that a scenario's page shows its parts in the order of the program, so that `--part 2`
/// is the second one that a reader meets.
enum PartOrder {
  static func problems(
    in pages: [WovenPage], tree: any FileTree, catalogue: ScenarioCatalogue
  ) -> [Problem] {
    catalogue.scenarios.compactMap { scenario in
      guard let page = pages.first(where: { $0.path == scenario.page }) else { return nil }
      let program = titles(in: tree.lines(of: scenario.main)).map(\.title)
      let shown = titles(in: page.lines.map(\.text)).filter { program.contains($0.title) }
      let order = program.filter { title in shown.contains { $0.title == title } }
      guard let (part, expected) = zip(shown, order).first(where: { $0.title != $1 }) else {
        return nil
      }
      return Location(path: page.path, line: page.lines[part.index].origin).problem(
        "the page shows \"\(part.title)\" before \"\(expected)\", and the program has them the other"
          + " way round: move one of them")
    }
  }

  /// The parts that lines declare, each once.
  private static func titles(in lines: [String]) -> [(title: String, index: Int)] {
    var titles: [(title: String, index: Int)] = []
    for (index, line) in lines.enumerated() {
      guard let title = line.firstMatch(of: /\.part\("((?:[^"\\]|\\.)*)"/).map({ String($0.1) }),
        !titles.contains(where: { $0.title == title })
      else { continue }
      titles.append((title, index))
    }
    return titles
  }
}
