extension Loom {
  /// All scenarios with their summaries, in the order of the manifest, which is that of the course.
  func scenarioTable(at location: Location) -> [String] {
    let rows = catalogue.scenarios.map { scenario in
      let summary = scenario.summary.replacing("|", with: "\\|")
      return "| \(Self.link(scenario.name, to: scenario.page, at: location)) | \(summary) |"
    }
    return ["| Scenario | What it shows |", "| --- | --- |"] + rows
  }

  /// Links to the sources, snapshots and tests of a scenario, by default the page's own.
  func sources(of name: String?, at location: Location) throws(Problem) -> [String] {
    if name == nil, let page = operators.page(at: location.path) {
      return sources(of: page, at: location)
    }
    if name == nil, let recipe = recipes.page(at: location.path) {
      return sources(of: recipe, at: location)
    }
    guard let scenario = try scenario(name, at: location) else {
      throw location.problem("this isn't a scenario's page: expected <!-- sources SCENARIO -->")
    }
    let sources = tree.files(below: scenario.folder, suffix: ".swift").sorted { one, other in
      // A reader starts with main.swift.
      (one == scenario.main ? 0 : 1, one) < (other == scenario.main ? 0 : 1, other)
    }
    let tests =
      tree.kind(of: scenario.tests) == .file
      ? scenario.tests : RelativePath.folder(of: scenario.tests)
    var groups = [
      ("Source", sources.map { ($0.dropFirst(scenario.folder.count + 1), $0) }),
      (
        "Snapshots",
        tree.files(below: scenario.snapshots, suffix: "").map { path in
          (path.dropFirst(scenario.snapshots.count + 1).prefix { $0 != "." }, path)
        }
      ),
      ("Test", [(RelativePath.name(of: tests)[...], tests)]),
      ("Operators", uses.pages(for: scenario).map { ($0.titles[0][...], $0.path) }),
    ]
    if location.path != scenario.page {
      groups.insert(("Page", [(scenario.name[...], scenario.page)]), at: 0)
    }
    let parts = groups.filter { !$0.1.isEmpty }.map { title, links in
      "\(title): "
        + links.map { Self.link(String($0), to: $1, at: location) }.joined(separator: ", ")
    }
    return [(parts + times(of: scenario, at: location)).joined(separator: " · ")]
  }

  /// In how many of a scenario's parts all times lead to the same outcome.
  private func times(of scenario: ScenarioCatalogue.Scenario, at location: Location) -> [String] {
    let sweep = tree.lines(of: "\(scenario.snapshots)/sweep.txt")
    let parts = SweptPart.all(in: sweep).filter(\.decidesTimes)
    guard !parts.isEmpty else { return [] }
    let same = parts.count(where: \.hasOneOutcome)
    let link = Self.link("At any time", to: "docs/what-if.md", at: location)
    let outcome = same == 0 ? "more than one outcome" : "the same outcome"
    let count = same == 0 || same == parts.count ? "each part" : "\(same) of \(parts.count) parts"
    return ["\(link): \(outcome) in \(count)"]
  }

  private func scenario(
    _ name: String?, at location: Location
  ) throws(Problem) -> ScenarioCatalogue.Scenario? {
    guard let name else { return catalogue.scenarios.first { $0.page == location.path } }
    if let scenario = catalogue[name] { return scenario }
    let choices = catalogue.scenarios.map(\.name).joined(separator: ", ")
    throw location.problem("no scenario '\(name)': choose one of \(choices)")
  }
}
