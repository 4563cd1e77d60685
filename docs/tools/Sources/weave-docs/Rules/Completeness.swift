/// The rule that each scenario has a folder, a page and a line in the course.
enum Completeness {
  static func problems(
    _ tree: any FileTree, catalogue: ScenarioCatalogue, course: Course?
  ) -> [Problem] {
    scenarios(catalogue, course: course, tree: tree)
      + pages(of: catalogue, tree: tree)
      + folders(of: catalogue, tree: tree)
  }

  private static func scenarios(
    _ catalogue: ScenarioCatalogue, course: Course?, tree: any FileTree
  ) -> [Problem] {
    catalogue.scenarios.flatMap { scenario in
      var problems: [Problem] = []
      if tree.kind(of: scenario.page) != .file {
        problems.append(
          scenario.location.problem("scenario '\(scenario.name)' has no page \(scenario.page)"))
      }
      if let course, !course.entries.contains(where: { $0.path == scenario.page }) {
        let target = RelativePath.link(from: Course.page, to: scenario.page)
        problems.append(
          course.location.problem(
            "the course list doesn't have '\(scenario.name)': add a link to \(target)")
        )
      }
      return problems
    }
  }

  private static func pages(of catalogue: ScenarioCatalogue, tree: any FileTree) -> [Problem] {
    tree.files(below: "docs/scenarios", suffix: ".md").compactMap { page in
      guard !catalogue.scenarios.contains(where: { $0.page == page }) else { return nil }
      return Location(path: page, line: 1)
        .problem("this page has no scenario: add its name to the scenarios in Package.swift")
    }
  }

  private static func folders(of catalogue: ScenarioCatalogue, tree: any FileTree) -> [Problem] {
    tree.names(in: "Scenarios").compactMap { name in
      let main = "Scenarios/\(name)/main.swift"
      // A folder with a manifest is a separate package.
      let isPackage = tree.kind(of: "Scenarios/\(name)/Package.swift") == .file
      guard tree.kind(of: main) == .file, !isPackage, catalogue[name] == nil else { return nil }
      return Location(path: main, line: 1)
        .problem("this scenario isn't in Package.swift: add its name to the scenarios there")
    }
  }
}
