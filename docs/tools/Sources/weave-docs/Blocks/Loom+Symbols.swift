extension Loom {
  /// The public symbols of a module, with a section for each type.
  func symbols(of module: String, at location: Location) throws(Problem) -> [String] {
    let symbols = PublicSymbols(tree, module: module)
    if let problem = symbols.problems.first { throw problem }
    guard !symbols.owners.isEmpty else {
      throw location.problem("Sources has no module '\(module)' with public symbols")
    }
    let sections = symbols.owners.map { owner in
      [owner.name.map { "### `\($0)`" } ?? "### Functions"]
        + (owner.purpose.map { ["", $0] } ?? [])
        + (owner.members.isEmpty ? [] : Self.table(of: owner.members))
    }
    return Array(sections.joined(separator: [""]))
  }

  private static func table(of members: [PublicSymbols.Symbol]) -> [String] {
    let rows = members.map { "| `\($0.name)` | \($0.purpose.replacing("|", with: #"\|"#)) |" }
    return ["", "| Member | Purpose |", "| --- | --- |"] + rows
  }
}
