/// The rules for the pages in `docs/operators`: their headings and sections, their examples, and
/// their places in the index.
struct OperatorPages {
  private let operators: Operators
  private let tree: any FileTree
  private let scenarios: OperatorUses
  private let pages: [WovenPage]
  private var problems: [Problem] = []

  static func problems(
    in pages: [WovenPage], operators: Operators, pictures: Pictures, tree: any FileTree,
    catalogue: ScenarioCatalogue
  ) -> [Problem] {
    var rule = OperatorPages(
      operators: operators, tree: tree, scenarios: OperatorUses(tree, catalogue: catalogue),
      pages: pages)
    for page in operators.pages {
      guard let woven = pages.first(where: { $0.path == page.path }) else { continue }
      rule.checkHeading(of: page)
      rule.checkText(of: page, woven)
      rule.checkExample(of: page, woven, runs: pictures.groups[page.pictures] ?? [])
      rule.checkLinks(of: page, woven)
    }
    rule.checkLeftovers()
    return rule.problems
  }

  private init(
    operators: Operators, tree: any FileTree, scenarios: OperatorUses, pages: [WovenPage]
  ) {
    self.operators = operators
    self.tree = tree
    self.scenarios = scenarios
    self.pages = pages
  }

  private mutating func checkHeading(of page: OperatorPage) {
    guard let first = page.titles.first else {
      return report("begin with the operator's name: # \(page.name)", in: page)
    }
    if OperatorPage.slug(of: first) != page.name {
      report(
        "the page of '\(first)' is \(OperatorPage.folder)/\(OperatorPage.slug(of: first)).md",
        in: page)
    }
    for title in page.titles where !page.entries.contains(where: { $0.matches(title) }) {
      report("there is no public operator '\(title)': name those of Sources/Streams", in: page)
    }
    for entry in page.entries {
      let other = operators.pages.first { $0.entries.contains(entry) }
      if let other, other.path != page.path {
        report("`\(entry.name)` has a page already: \(other.path)", in: page)
      }
    }
  }

  private mutating func checkText(of page: OperatorPage, _ woven: WovenPage) {
    let lines = woven.lines.map(\.text)
    let isProse = { (line: String?) in line?.first.map { $0.isLetter || $0 == "`" } ?? false }
    if !isProse(lines.dropFirst(2).first) {
      report("line 3 is for one sentence that says what the operator does", in: page)
    }
    if page.purposes.isEmpty {
      report("say what it's for: a line \"Use it to:\", and below it a list", in: page)
    }
    let headings = lines.indices.filter { lines[$0].hasPrefix("## ") }
    let titles = headings.map { String(lines[$0].dropFirst(3)) }
    let sections = OperatorPage.sections
    if titles.suffix(sections.count) != sections[...] {
      let list = sections.map { "## \($0)" }.joined(separator: ", ")
      report("the page ends with these sections, in this order: \(list)", in: page)
    }
    for (heading, end) in zip(headings, headings.dropFirst() + [lines.count]) {
      if !lines[(heading + 1)..<end].contains(where: { !$0.isEmpty && !$0.hasPrefix("<!--") }) {
        report("the section '\(lines[heading])' is empty", in: page)
      }
    }
    for title in page.titles {
      let base = title.prefix { $0 != "(" }
      let mentions = ["`\(base)", ".\(base)", "\(base)("]
      if !lines.dropFirst().contains(where: { mentions.contains(where: $0.contains) }) {
        report("the heading names '\(title)', but the text doesn't", in: page)
      }
    }
  }

  private mutating func checkExample(
    of page: OperatorPage, _ woven: WovenPage, runs: [Pictures.Picture]
  ) {
    guard let example = page.examples.first, page.examples.count == 1, let family = page.family
    else {
      let families = OperatorFamily.allCases.map(\.rawValue).joined(separator: ", ")
      return report(
        "it needs one example, \(OperatorPage.tests)/Examples/FAMILY/NAMEExample.swift, where NAME"
          + " is that of the page, and FAMILY one of \(families)", in: page)
    }
    let file = RelativePath.name(of: example)
    let folders = page.sources.compactMap { source in
      OperatorFamily(rawValue: RelativePath.name(of: RelativePath.folder(of: source)))
    }
    if let folder = folders.first, !folders.contains(family), !family.isWithoutFolder {
      report("its source is in \(folder.rawValue), so its example belongs there too", in: page)
    }
    if !woven.lines.contains(where: { $0.text.hasPrefix("```swift ") && $0.text.contains(file) }) {
      report("show the code of the example: ```swift \(file)#REGION", in: page)
    }
    if runs.isEmpty {
      report("its example has no run in \(page.snapshots): make record writes it", in: page)
    }
    let code = (try? tree.text(of: example)) ?? ""
    for run in runs where !code.contains("func `\(run.title)`()") {
      report(
        "\(file) has no run '\(run.title)' any more: remove its files from \(page.snapshots)",
        in: page)
    }
  }

  private mutating func checkLinks(of page: OperatorPage, _ woven: WovenPage) {
    let links = LinkScanner.links(in: woven.lines.map(\.text)).compactMap { link in
      RelativePath.resolve(link.parts.path, in: OperatorPage.folder)
    }
    if !links.contains(where: { $0.hasPrefix("Tests/") && $0.hasSuffix("Tests.swift") }) {
      report("link its tests below '## See also'", in: page)
    }
    if !woven.lines.contains(where: { $0.text == "<!-- sources -->" }) {
      report("end with <!-- sources -->, which links source, tests and example", in: page)
    }
    let users = scenarios.scenarios(using: page.entries)
    let linked = links.filter { $0.hasPrefix("docs/scenarios/") }
    if !users.isEmpty, !users.contains(where: linked.contains) {
      let names = users.map { "\($0.dropFirst("docs/scenarios/".count).dropLast(3))" }
      report(
        "link a scenario that uses it: \(names.joined(separator: ", "))", in: page)
    }
    let index = pages.first { $0.path == OperatorPage.index }
    if index?.lines.contains(where: { $0.text.contains("](\(page.name).md)") }) != true {
      report("\(OperatorPage.index) doesn't link this page", in: page)
    }
  }

  /// Examples and runs that have no page.
  private mutating func checkLeftovers() {
    let names = Set(operators.pages.map(\.name))
    for example in operators.examples {
      let name = OperatorPage.page(ofExample: example)
      guard !names.contains(name) else { continue }
      problems.append(
        Location(path: example, line: 1)
          .problem("this example has no page: write \(OperatorPage.folder)/\(name).md"))
    }
    for folder in tree.names(in: "\(OperatorPage.tests)/Snapshots") where !names.contains(folder) {
      problems.append(
        Location(path: "\(OperatorPage.tests)/Snapshots/\(folder)", line: 1)
          .problem("these runs have no page: remove them, or write their page"))
    }
  }

  private mutating func report(_ message: String, in page: OperatorPage) {
    problems.append(Location(path: page.path, line: 1).problem(message))
  }
}
