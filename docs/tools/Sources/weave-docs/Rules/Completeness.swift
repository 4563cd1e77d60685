/// The rule that each scenario has a folder, a page and a line in the course, in the order of the
/// manifest.
enum Completeness {
  static func problems(
    _ tree: any FileTree, catalogue: ScenarioCatalogue, course: Course?
  ) -> [Problem] {
    var problems: [Problem] = []
    for scenario in catalogue.scenarios {
      if tree.kind(of: scenario.page) != .file {
        problems.append(
          scenario.location.problem("scenario '\(scenario.name)' has no page \(scenario.page)"))
      }
      if let course, !course.entries.contains(where: { $0.path == scenario.page }) {
        let target = RelativePath.link(from: Course.page, to: scenario.page)
        problems.append(
          course.location.problem(
            "the course list doesn't have '\(scenario.name)': add a link to \(target)"))
      }
    }
    // All lists of scenarios have one of these two orders.
    if let course, problems.isEmpty {
      let order = course.entries.compactMap { entry in
        catalogue.scenarios.first { $0.page == entry.path }
      }
      if let (first, expected) = zip(catalogue.scenarios, order).first(where: { $0.name != $1.name }
      ) {
        problems.append(
          first.location.problem(
            "the scenarios here and in \(Course.page) have different orders: put"
              + " '\(expected.name)' here, or move it there"))
      }
    }
    let pages = tree.files(below: "docs/scenarios", suffix: ".md")
    let mains = tree.names(in: "Scenarios").map { "Scenarios/\($0)/main.swift" }
      .filter { tree.kind(of: $0) == .file }
    let known = catalogue.scenarios.flatMap { [$0.page, $0.main] }
    return problems
      + (pages + mains).filter { !known.contains($0) }.map {
        Location(path: $0, line: 1)
          .problem("this scenario isn't in Package.swift: add its name to the scenarios there")
      }
  }
}
