extension Loom {
  /// All recipes, each with what a reader may see, in a section for each kind.
  func recipes(at location: Location) -> [String] {
    let sections = recipes.sections.map { section, pages in
      ["", "### \(section.title)", ""]
        + pages.map { page in
          let link = Self.link(page.title, to: page.path, at: location)
          return "- \(link): \(page.signs.joined(separator: " · "))"
        }
    }
    return Array(sections.joined())
  }

  /// Links to the code and the tests of a recipe.
  func sources(of recipe: Recipe, at location: Location) -> [String] {
    let groups = [("Source", recipe.sources), ("Test", recipe.tests)]
    let parts = groups.flatMap { title, paths in
      paths.map { "\(title): \(Self.link(RelativePath.name(of: $0), to: $0, at: location))" }
    }
    return [parts.joined(separator: " · ")]
  }
}
