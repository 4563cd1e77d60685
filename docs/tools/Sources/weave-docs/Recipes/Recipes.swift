/// The recipes: their pages, and the rules for them.
struct Recipes {
  /// In the order of their file names.
  let pages: [Recipe]
  private let sources: [String]

  init(_ tree: any FileTree) {
    let sources = tree.files(below: "\(Recipe.package)/Sources/Recipes", suffix: ".swift")
    let tests = tree.files(below: "\(Recipe.package)/Tests/RecipesTests", suffix: "Tests.swift")
    pages = tree.files(below: Recipe.folder, suffix: ".md").filter { $0 != Recipe.index }.map {
      Recipe(path: $0, lines: tree.lines(of: $0), sources: sources, tests: tests)
    }
    self.sources = sources
  }

  func page(at path: String) -> Recipe? { pages.first { $0.path == path } }

  /// The sections that have pages, each with its pages.
  var sections: [(section: Recipe.Section, pages: [Recipe])] {
    Recipe.Section.all.compactMap { section in
      let members = pages.filter { $0.section == section }
      return members.isEmpty ? nil : (section, members)
    }
  }

  /// Each page has a heading, says when it's needed, and has code and tests. All code has a page.
  var problems: [Problem] {
    let complaints = pages.flatMap { page in
      self.complaints(about: page).map { Location(path: page.path, line: 1).problem($0) }
    }
    let names = Set(pages.map(\.name))
    let leftovers = sources.filter { !names.contains(Recipe.name(ofSource: $0)) }.map {
      Location(path: $0, line: 1).problem(
        "this recipe has no page: write \(Recipe.folder)/\(Recipe.name(ofSource: $0)).md")
    }
    return complaints + leftovers
  }

  private func complaints(about page: Recipe) -> [String] {
    var complaints: [String] = []
    if page.title.isEmpty { complaints.append("begin with a heading: # Retry with back-off") }
    if page.signs.isEmpty {
      complaints.append(
        "say when a reader needs it: a line \"You need it if:\", and below it a list of what one sees"
      )
    }
    if page.sources.count != 1 || page.section == nil {
      let folders = Recipe.Section.all.map(\.folder).joined(separator: ", ")
      complaints.append(
        "it needs one file of code, \(Recipe.package)/Sources/Recipes/SECTION/NAME.swift, where NAME"
          + " is that of the page, and SECTION one of \(folders)")
    }
    if page.tests.count != 1 {
      complaints.append(
        "it needs one file of tests, \(Recipe.package)/Tests/RecipesTests/NAMETests.swift, where NAME"
          + " is that of the page")
    }
    return complaints
  }
}
