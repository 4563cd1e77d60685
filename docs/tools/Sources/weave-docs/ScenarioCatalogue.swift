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

  /// The strings in the array.
  static func names(
    in tree: any FileTree
  ) throws(Problem) -> [(name: String, location: Location)] {
    let lines = try tree.lines(of: manifest, for: Location(path: manifest, line: 1))
    return try range(in: lines).compactMap { index in
      lines[index].prefixMatch(of: /\s*"([^"]*)"/).map { match in
        (String(match.1), Location(path: manifest, line: index + 1))
      }
    }
  }

  /// The indices of the lines in the array.
  private static func range(in lines: [String]) throws(Problem) -> Range<Int> {
    guard let first = lines.firstIndex(of: start), let end = lines[first...].firstIndex(of: "]")
    else {
      throw Location(path: manifest, line: 1).problem(
        "no list of scenarios: expected lines '\(start)' and ']', with a name on each line between"
          + " them")
    }
    return first + 1..<end
  }

  /// The manifest's text with one more name at the end of the array.
  static func adding(_ name: String, to text: String) throws(Problem) -> String {
    var lines = text.lines
    let end = try range(in: lines).upperBound
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
    // It's read from the source, because running each scenario to get its summary would be slow.
    let call = /(?:^|\W)Scenario\(\s*"([^"]*)",\s*"((?:[^"\\\n]|\\["\\])*)"/
    let text = lines.filter { !$0.trimmed.hasPrefix("//") }.joined(separator: "\n")
    guard let match = text.firstMatch(of: call), match.1 == name else {
      throw Location(path: main, line: 1)
        .problem("no Scenario(\"\(name)\", \"SUMMARY\") with two plain string literals")
    }
    return String(match.2).replacing(#"\""#, with: "\"").replacing(#"\\"#, with: #"\"#)
  }
}
