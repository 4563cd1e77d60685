/// The scenarios in the order of `Package.swift`, each with the summary in its `main.swift`.
struct ScenarioCatalogue {
  struct Scenario: Equatable {
    let name: String
    let summary: String
    /// Where `Package.swift` names it.
    let location: Location

    var page: String { "docs/scenarios/\(name).md" }
    var folder: String { "Scenarios/\(name)" }
    var main: String { "\(folder)/main.swift" }
    var snapshots: String { "Tests/ScenarioTests/Snapshots/\(name)" }

    /// `Tests/ScenarioTests/DecodeUserTests.swift` for `decode-user`.
    var tests: String {
      let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      return "Tests/ScenarioTests/\(words.joined())Tests.swift"
    }
  }

  let scenarios: [Scenario]

  subscript(name: String) -> Scenario? { scenarios.first { $0.name == name } }

  /// Reads the catalogue, and adds its problems to `problems`.
  init(_ tree: any FileTree, problems: inout [Problem]) {
    let names = problems.collect { () throws(Problem) in try Self.names(in: tree) } ?? []
    scenarios = names.map { name, location in
      let summary = problems.collect { () throws(Problem) in
        try Self.summary(of: name, at: location, in: tree)
      }
      return Scenario(name: name, summary: summary ?? "", location: location)
    }
  }

  static let manifest = "Package.swift"
  private static let start = "let scenarios = ["

  /// The strings in the array that starts with `let scenarios = [`.
  static func names(
    in tree: any FileTree
  ) throws(Problem) -> [(name: String, location: Location)] {
    let manifest = Location(path: Self.manifest, line: 1)
    let lines = try tree.lines(of: manifest.path, for: manifest)
    guard let first = lines.firstIndex(where: { $0.hasPrefix(start) }) else {
      throw manifest.problem("no list of scenarios: expected a line that starts with '\(start)'")
    }
    var names: [(name: String, location: Location)] = []
    for index in first..<lines.count {
      var text = Substring(lines[index])
      if index == first { text = text.dropFirst(start.count) }
      while let character = text.first, character != "]", !text.hasPrefix("//") {
        if character == "\"" {
          let name = text.dropFirst().prefix { $0 != "\"" }
          names.append((String(name), Location(path: manifest.path, line: index + 1)))
          text = text.dropFirst(name.count + 2)
        } else {
          text = text.dropFirst()
        }
      }
      if text.first == "]" { break }
    }
    return names
  }

  /// The manifest's text with one more name at the end of the array.
  static func adding(_ name: String, to text: String) throws(Problem) -> String {
    var lines = text.lines
    guard let first = lines.firstIndex(of: start), let end = lines[first...].firstIndex(of: "]")
    else {
      throw Location(path: manifest, line: 1).problem(
        "can't add to the list of scenarios: expected lines '\(start)' and ']', with a name on each"
          + " line between them")
    }
    lines.insert("  \"\(name)\",", at: end)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func summary(
    of name: String, at location: Location, in tree: any FileTree
  ) throws(Problem) -> String {
    let main = "Scenarios/\(name)/main.swift"
    guard tree.kind(of: main) == .file else {
      throw location.problem("scenario '\(name)' has no \(main)")
    }
    let lines = try tree.lines(of: main, for: location)
    guard let declaration = ScenarioDeclaration(in: lines) else {
      throw Location(path: main, line: 1)
        .problem("no Scenario(\"\(name)\", \"SUMMARY\") with two plain string literals")
    }
    guard declaration.name == name else {
      throw Location(path: main, line: declaration.line)
        .problem("the scenario is named '\(declaration.name)', but its folder '\(name)'")
    }
    return declaration.summary
  }
}
