/// The scenarios that use an operator.
///
/// Many operators share their names with methods of arrays. A call of these counts only if it
/// begins its line, as in a pipeline.
struct OperatorUses {
  private static let methodsOfArrays: Set<String> = [
    "allSatisfy", "append", "compactMap", "contains", "count", "drop", "dropFirst", "encode",
    "decode", "filter", "first", "flatMap", "last", "map", "max", "merge", "min", "output",
    "prefix", "print", "publisher", "reduce", "values",
  ]

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
    guard !line.hasPrefix("//") else { return false }
    if !entry.base.contains("."), entry.base.first?.isUppercase == true {
      return line.contains("\(entry.base)(") || line.contains("\(entry.base)<")
    }
    let method = entry.base.split(separator: ".").last.map(String.init) ?? ""
    let call = ".\(method)"
    let mustBegin = methodsOfArrays.contains(method)
    guard let range = mustBegin ? line.prefixRange(call) : line.firstRange(of: call) else {
      return false
    }
    let rest = line[range.upperBound...]
    // The arguments may begin in the next line.
    if rest == "(" || rest.hasPrefix(" {") { return true }
    // With a label, only that overload counts.
    let label = entry.name.drop { $0 != "(" }.dropFirst().prefix { $0 != ":" && $0 != ")" }
    return rest.hasPrefix(label.isEmpty || label == "_" ? "(" : "(\(label):")
  }
}

extension Substring {
  fileprivate func prefixRange(_ prefix: String) -> Range<Index>? {
    hasPrefix(prefix) ? startIndex..<index(startIndex, offsetBy: prefix.count) : nil
  }
}
