/// The operators and their pages.
struct Operators {
  let catalogue: OperatorCatalogue
  /// In the order of their file names.
  let pages: [OperatorPage]
  /// All examples, also those without a page.
  let examples: [String]

  init(_ tree: any FileTree) {
    let catalogue = OperatorCatalogue(tree)
    let examples = tree.files(below: "\(OperatorPage.tests)/Examples", suffix: "Example.swift")
    pages = tree.files(below: OperatorPage.folder, suffix: ".md")
      .filter { $0 != OperatorPage.index }
      .map { path in
        OperatorPage(
          path: path, lines: tree.lines(of: path), catalogue: catalogue,
          examples: examples)
      }
    self.catalogue = catalogue
    self.examples = examples
  }

  func page(at path: String) -> OperatorPage? { pages.first { $0.path == path } }

  /// The families that have pages, each with its pages in the order of their names.
  var families: [(family: OperatorFamily, pages: [OperatorPage])] {
    OperatorFamily.all.compactMap { family in
      let members = pages.filter { $0.family == family }
      return members.isEmpty ? nil : (family, members)
    }
  }

  /// The pages that people need every day.
  var everyDay: [OperatorPage] {
    OperatorFamily.everyDay.compactMap { name in pages.first { $0.name == name } }
  }

  /// The operators that no page covers, at the line that declares them.
  var missing: [Problem] {
    var reported: Set<String> = []
    return catalogue.entries.compactMap { entry in
      let isCovered = pages.contains { $0.entries.contains(entry) }
      guard !isCovered, reported.insert(entry.base).inserted else { return nil }
      let page = "\(OperatorPage.folder)/\(OperatorPage.slug(of: entry.base)).md"
      return entry.location.problem(
        "`\(entry.name)` has no page: write \(page), or add the name to the heading of a page")
    }
  }
}
