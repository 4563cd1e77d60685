/// Which operators a scenario's programs call, so that its page leads to theirs, and back.
///
/// Names that arrays have too, such as `map`, count only where they begin a line, as in a chain.
/// All others count everywhere.
struct OperatorUses {
  private static let namesOfArrays: Set = [
    "allSatisfy", "append", "compactMap", "contains", "count", "drop", "dropFirst", "filter",
    "first",
    "flatMap", "last", "map", "max", "merge", "min", "output", "prefix", "prepend", "reduce",
  ]

  private let pages: [OperatorPage]
  private let code: [(scenario: ScenarioCatalogue.Scenario, text: String)]

  init(_ tree: any FileTree, catalogue: ScenarioCatalogue, operators: Operators) {
    pages = operators.pages
    code = catalogue.scenarios.map { scenario in
      let files = tree.files(below: scenario.folder, suffix: ".swift")
      let lines = files.flatMap { tree.lines(of: $0) }.map(\.trimmed)
      return (scenario, lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n"))
    }
  }

  /// The pages of the operators that a scenario uses, in the order of their names.
  func pages(for scenario: ScenarioCatalogue.Scenario) -> [OperatorPage] {
    guard let text = code.first(where: { $0.scenario == scenario })?.text else { return [] }
    return pages.filter { Self.uses($0, in: text) }
  }

  /// The scenarios that use one of a page's operators, in the order of the course.
  func scenarios(for page: OperatorPage) -> [ScenarioCatalogue.Scenario] {
    code.filter { Self.uses(page, in: $0.text) }.map(\.scenario)
  }

  private static func uses(_ page: OperatorPage, in text: String) -> Bool {
    page.titles.contains { title in
      // `Sequence.publisher` and `@Published` are properties, which arrays and models have too.
      if title.contains(".") || title.hasPrefix("@") { return false }
      if title.first?.isUppercase ?? false {
        return ["<", "(", " {"].contains { text.contains(" \(title)\($0)") }
      }
      // `receive(on:)` has its label, and no other `receive`.
      let call = ".\(title.prefix { $0 != ")" && $0 != "_" })"
      let openings = call.contains("(") ? [""] : ["(", " {"]
      let isOfArrays = namesOfArrays.contains(String(title.prefix { $0 != "(" }))
      return openings.contains { text.contains((isOfArrays ? "\n" : "") + call + $0) }
    }
  }
}
