/// The rules for the pages in `docs/operators`: each names operators that exist, and has an
/// example.
enum OperatorPages {
  static func problems(in operators: Operators) -> [Problem] {
    operators.pages.flatMap { page in
      complaints(about: page, operators).map { Location(path: page.path, line: 1).problem($0) }
    } + leftovers(operators)
  }

  private static func complaints(about page: OperatorPage, _ operators: Operators) -> [String] {
    let slug = OperatorPage.slug(of: page.titles.first ?? "")
    var complaints = page.titles.filter { title in !page.entries.contains { $0.matches(title) } }
      .map { "there is no public operator '\($0)': name those of Sources/Streams" }
    if slug != page.name {
      complaints.append("its heading begins with '\(slug)': rename the page, or the heading")
    }
    if page.purposes.isEmpty {
      complaints.append("say what it's for: a line \"Use it to:\", and below it a list")
    }
    if page.examples.count != 1 || page.family == nil {
      let families = OperatorFamily.all.map(\.name).joined(separator: ", ")
      complaints.append(
        "it needs one example, \(OperatorPage.tests)/Examples/FAMILY/NAMEExample.swift, where NAME"
          + " is that of the page, and FAMILY one of \(families)")
    }
    for entry in page.entries {
      let other = operators.pages.first { $0.entries.contains(entry) }
      if let other, other.path != page.path {
        complaints.append("`\(entry.name)` has a page already: \(other.path)")
      }
    }
    return complaints
  }

  /// Examples that have no page.
  private static func leftovers(_ operators: Operators) -> [Problem] {
    let names = Set(operators.pages.map(\.name))
    return operators.examples.filter { !names.contains(OperatorPage.page(ofExample: $0)) }.map {
      Location(path: $0, line: 1).problem(
        "this example has no page: write \(OperatorPage.folder)/\(OperatorPage.page(ofExample: $0)).md"
      )
    }
  }
}
