/// The scenarios that use an operator.
///
/// A call counts as one of a stream if it begins its line, because many operators share their names
/// with methods of arrays.
struct OperatorUses {
  /// The code of each scenario by its page.
  private let code: [(page: String, lines: [Substring])]

  init(_ tree: any FileTree, catalogue: ScenarioCatalogue) {
    code = catalogue.scenarios.map { scenario in
      let files = tree.files(below: scenario.folder, suffix: ".swift")
      let lines = files.flatMap { ((try? tree.text(of: $0)) ?? "").lines }
      return (scenario.page, lines.map { $0.drop { $0 == " " } })
    }
  }

  /// The pages of the scenarios that use one of some operators.
  func scenarios(using entries: [OperatorCatalogue.Entry]) -> [String] {
    code.filter { _, lines in
      lines.contains { line in entries.contains { Self.uses(line, $0) } }
    }
    .map(\.page)
  }

  private static func uses(_ line: Substring, _ entry: OperatorCatalogue.Entry) -> Bool {
    if entry.base.first?.isUppercase == true {
      return line.contains("\(entry.base)(") || line.contains("\(entry.base)<")
    }
    guard line.hasPrefix(".\(entry.base)") else { return false }
    let rest = line.dropFirst(entry.base.count + 1)
    guard rest.hasPrefix("(") || rest.hasPrefix(" {") else { return false }
    // With a label, only that overload counts.
    let label = entry.name.drop { $0 != "(" }.dropFirst().prefix { $0 != ":" }
    return label.isEmpty || label == "_" || rest.hasPrefix("(\(label):") || rest.hasPrefix(" {")
  }
}
