/// Starts a scenario, for `make new`: copies a template, and adds the name to the two lists of all
/// scenarios.
///
/// The template is a program that is built and tested like a scenario. Its comments that begin with
/// `write:` say what to replace, and ``Prompts`` finds those that are left.
struct NewScenario {
  /// The template's name, which the copies replace by their own.
  static let template = "new-scenario"

  let name: String
  let tree: any FileTree

  private let scenario: ScenarioCatalogue.Scenario

  init(_ name: String, in tree: any FileTree) {
    self.name = name
    self.tree = tree
    scenario = ScenarioCatalogue.Scenario(
      name: name, summary: "", location: Location(path: ScenarioCatalogue.manifest, line: 1))
  }

  /// Whether a scenario can have a name: words of lowercase letters and digits, with hyphens
  /// between them. It's also the name of a folder, a program and, with underscores, a module.
  static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil
  }

  /// Why the name isn't free, or `nil` if it is.
  ///
  /// Any trace counts, such as a page without a program. So what this writes is new as a whole.
  func conflict() throws(Problem) -> String? {
    let isListed = try ScenarioCatalogue.names(in: tree).contains { $0.name == name }
    let isInCourse = try Course(tree).entries.contains { $0.path == scenario.page }
    let isTarget = try text(of: ScenarioCatalogue.manifest).contains("name: \"\(name)\"")
    let files = [scenario.folder, scenario.page, scenario.snapshots, scenario.tests]
      .filter { tree.kind(of: $0) != nil }
    let traces =
      (isListed || isTarget ? [ScenarioCatalogue.manifest] : []) + (isInCourse ? [Course.page] : [])
      + files
    // A module can't be called main.
    if traces.isEmpty { return name == "main" ? "a scenario can't be named 'main'" : nil }
    return "'\(name)' is in \(traces.joined(separator: ", ")) already: choose another name, or"
      + " remove it there"
  }

  /// The texts to write by path: three new files, and the two lists with one more line.
  func files() throws(Problem) -> [String: String] {
    [
      scenario.main: try copy(of: "main.swift"),
      "\(scenario.folder)/Server.swift": try copy(of: "Server.swift"),
      scenario.page: try copy(of: "page.md"),
      ScenarioCatalogue.manifest: try ScenarioCatalogue.adding(
        name, to: text(of: ScenarioCatalogue.manifest)),
      Course.page: try Course(tree).adding(
        "[\(name)](\(RelativePath.link(from: Course.page, to: scenario.page))): load a quote"
          + " <!-- write: Its idea in a few words. Move the line to its place in the course. -->",
        to: text(of: Course.page)),
    ]
  }

  private func copy(of file: String) throws(Problem) -> String {
    try text(of: "Tests/Fixtures/\(Self.template)/\(file)")
      .replacing(Self.template, with: name)
  }

  private func text(of path: String) throws(Problem) -> String {
    try tree.lines(of: path, for: Location(path: path, line: 1)).map { $0 + "\n" }.joined()
  }
}
