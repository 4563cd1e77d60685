/// Finds the file that a block names.
///
/// A block needs only as much of a path as tells the file from all others: `Map.swift`, or
/// `decode-user/transcript.txt`. On a scenario's page, `main.swift` and `transcript.txt` are the
/// scenario's own. On the page of an operator or a recipe, so are its code and the diagrams of its
/// runs.
struct SourceFiles {
  private let tree: any FileTree
  private let catalogue: ScenarioCatalogue
  private let operators: Operators
  private let recipes: Recipes
  /// The paths of all sources and snapshots by the name of the file.
  private let paths: [String: [String]]

  init(
    _ tree: any FileTree, catalogue: ScenarioCatalogue, operators: Operators, recipes: Recipes
  ) {
    self.tree = tree
    self.catalogue = catalogue
    self.operators = operators
    self.recipes = recipes
    let all = ["Scenarios", "Sources", "Tests"].flatMap { tree.files(below: $0, suffix: "") }
    paths = Dictionary(grouping: all, by: RelativePath.name)
  }

  /// - Parameter location: Where the block begins.
  /// - Returns: The path from the package root.
  func path(of name: String, for location: Location) throws(Problem) -> String {
    guard RelativePath.resolve(name) == name else {
      throw location.problem("\(name) isn't a plain path from the package root")
    }
    let own = folders(ofPageAt: location.path).map { "\($0)/\(name)" }.first {
      tree.kind(of: $0) == .file
    }
    if let own { return own }
    if tree.kind(of: name) != nil { return name }
    let matches = paths[RelativePath.name(of: name), default: []]
      .filter { $0.hasSuffix("/\(name)") }
    guard matches.count <= 1 else {
      let others = matches.count > 3 ? " and \(matches.count - 3) more" : ""
      let choices = matches.prefix(3).joined(separator: ", ")
      throw location.problem("\(name) could be \(choices)\(others): write more of its path")
    }
    if let match = matches.first { return match }
    let hint = name.hasSuffix(".txt") ? " (make record writes snapshots)" : ""
    throw location.problem("no such file: \(name)\(hint)")
  }

  /// The folders with a page's own files.
  private func folders(ofPageAt path: String) -> [String] {
    if let scenario = catalogue.scenarios.first(where: { $0.page == path }) {
      return [scenario.folder, scenario.snapshots]
    }
    if let page = operators.page(at: path) {
      return [page.snapshots] + page.examples.map(RelativePath.folder)
    }
    guard let recipe = recipes.page(at: path) else { return [] }
    return [recipe.snapshots] + (recipe.sources + recipe.tests).map(RelativePath.folder)
  }
}
