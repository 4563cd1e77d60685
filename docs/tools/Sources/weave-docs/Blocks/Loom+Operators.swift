extension Loom {
  /// All operators, each with its purposes, in a section for each family. Those that people need
  /// every day come first, and once more in their families.
  func purposes(at location: Location) -> [String] {
    let families = operators.families.map { ($0.family.purpose, $0.pages) }
    let everyDay = (OperatorFamily.everyDayPurpose, operators.everyDay)
    let sections = ([everyDay] + families).filter { !$0.1.isEmpty }.map { purpose, pages in
      ["", "### \(purpose)", ""]
        + pages.map { page in
          let link = Self.link(page.titles.joined(separator: ", "), to: page.path, at: location)
          return "- \(link): \(page.purposes.joined(separator: " · "))"
        }
    }
    return Array(sections.joined())
  }

  /// Links to the sources and tests of an operator, to the example of its page, and to the
  /// scenarios that use it.
  func sources(of page: OperatorPage, at location: Location) -> [String] {
    let groups = [
      ("Source", page.sources), ("Test", page.tests(in: tree)), ("Example", page.examples),
    ]
    var parts = groups.filter { !$0.1.isEmpty }.map { title, paths in
      let links = paths.map { Self.link(RelativePath.name(of: $0), to: $0, at: location) }
      return "\(title): \(links.joined(separator: ", "))"
    }
    let scenarios = uses.scenarios(for: page).map {
      Self.link($0.name, to: $0.page, at: location)
    }
    if !scenarios.isEmpty { parts.append("Scenarios: \(scenarios.joined(separator: ", "))") }
    return [parts.joined(separator: " · ")]
  }
}

extension OperatorPage {
  /// The files that declare its operators.
  var sources: [String] {
    var paths: [String] = []
    for path in entries.flatMap({ [$0.location.path] + $0.otherPaths })
    where !paths.contains(path) {
      paths.append(path)
    }
    return paths
  }

  /// The tests that mirror its sources.
  func tests(in tree: any FileTree) -> [String] {
    sources.compactMap { source in
      let parts = source.split(separator: "/").dropFirst()
      guard let module = parts.first else { return nil }
      let rest = parts.dropFirst().joined(separator: "/").dropLast(".swift".count)
      let path = "Tests/\(module)Tests/\(rest.replacing("+", with: ""))Tests.swift"
      return tree.kind(of: path) == .file ? path : nil
    }
  }
}
