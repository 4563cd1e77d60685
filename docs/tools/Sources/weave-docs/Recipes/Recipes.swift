/// The recipes: their pages, and the rules for them.
struct Recipes {
  /// In the order of their file names.
  let pages: [Recipe]
  /// The files that need a page, each with the page's name.
  private let parts: [(path: String, name: String)]

  init(_ tree: any FileTree) {
    let sources = tree.files(below: "\(Recipe.package)/Sources/Recipes", suffix: ".swift")
    let tests = tree.files(below: "\(Recipe.package)/Tests/RecipesTests", suffix: "Tests.swift")
    pages = tree.files(below: Recipe.folder, suffix: ".md").filter { $0 != Recipe.index }.map {
      Recipe(path: $0, lines: tree.lines(of: $0), sources: sources, tests: tests)
    }
    let snapshots = tree.files(below: Recipe.snapshots, suffix: "")
    parts =
      sources.map { ($0, Recipe.name(ofSource: $0)) } + tests.map { ($0, Recipe.name(ofTest: $0)) }
      + snapshots.map { ($0, RelativePath.name(of: RelativePath.folder(of: $0))) }
  }

  func page(at path: String) -> Recipe? { pages.first { $0.path == path } }

  /// The sections that have pages, each with its pages.
  var sections: [(section: Recipe.Section, pages: [Recipe])] {
    Recipe.Section.all.compactMap { section in
      let members = pages.filter { $0.section == section }
      return members.isEmpty ? nil : (section, members)
    }
  }

  /// Each page has a heading, says when it's needed, and shows its code and its test. All code,
  /// tests and snapshots have a page.
  var problems: [Problem] {
    let complaints = pages.flatMap { page in
      self.complaints(about: page).map { Location(path: page.path, line: 1).problem($0) }
    }
    let names = Set(pages.map(\.name))
    let leftovers = parts.filter { !names.contains($0.name) }.map {
      Location(path: $0.path, line: 1).problem(
        "this part of a recipe has no page: write \(Recipe.folder)/\($0.name).md, or remove it")
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
    for region in ["recipe", "test"] where !page.regions.contains(region) {
      complaints.append(
        "show the region \(region): a code block whose first line ends in #\(region)")
    }
    return complaints
  }
}
