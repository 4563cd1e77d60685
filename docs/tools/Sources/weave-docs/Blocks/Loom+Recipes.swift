extension Loom {
  /// What a reader may see, and the recipe for it, with a section for each kind of recipe.
  func recipes(at location: Location) -> [String] {
    let sections = recipes.sections.map { section, pages in
      ["", "### \(section.title)", ""]
        + pages.flatMap { page in
          page.signs.map { sign in
            "- \(sign): \(Self.link(page.title, to: page.path, at: location))"
          }
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
