/// Compares a library with the table of Combine's symbols.
struct Comparison {
  private let library: Library
  private let table: APITable
  /// The problems, with the unreadable lines first.
  private(set) var problems: [Problem] = []
  private var differences: [Problem] = []
  /// The symbols whose rows can't be read, so they are neither missing nor without a row.
  private var unreadable: Set<String>
  private var isComplete = false
  private(set) var missing = 0
  private var differing = 0
  /// For each path, the declarations that a row stands for.
  private var found: [String: Set<Int>] = [:]

  init(_ library: Library, table: APITable) {
    self.library = library
    self.table = table
    unreadable = table.unreadable
    problems = table.problems
    guard table.isReadable else { return }
    differences = library.problems.map { Problem(file: table.file, line: 1, message: $0) }
    // Overloads share a path. So first each row takes the declaration that is equal to its own, and
    // then the others see what's left.
    var rest: [APITable.Row] = []
    for row in table.rows {
      attempt(row) { (self) throws(SyntaxProblem) in
        if row.kind == "conformance" {
          try self.compareConformance(row)
        } else if try !self.findEqual(row) {
          rest.append(row)
        }
      }
    }
    for row in rest { compareWithOthers(row) }
    problems = problems.sorted() + differences.sorted() + symbolsWithoutRow().sorted()
    isComplete = true
  }

  /// The last line of a run, unless a table can't be read.
  var summary: String? {
    guard isComplete else { return nil }
    func count(_ state: APITable.State) -> Int { table.rows.count { $0.state == state } }
    let present = count(.present) - missing - differing
    let others: [(Int, String)] = [
      (count(.differs), "different on purpose"), (count(.unseen), "unseen"),
      (count(.appleOnly), "Apple-only"), (count(.leftOut), "left out"),
    ]
    return "api: \(table.rows.count) rows, \(present) present, "
      + others.filter { $0.0 > 0 }.map { "\($0) \($1), " }.joined()
      + "\(differing) different; \(missing) missing"
  }

  private mutating func report(_ row: APITable.Row, _ message: String) {
    differences.append(Problem(file: table.file, line: row.line, message: message))
  }

  private mutating func attempt(
    _ row: APITable.Row, _ body: (inout Comparison) throws(SyntaxProblem) -> Void
  ) {
    do throws(SyntaxProblem) {
      try body(&self)
    } catch {
      unreadable.insert(row.symbol)
      problems.append(
        Problem(
          file: table.file, line: row.line,
          message: "can't read the declaration of `\(row.symbol)`: \(error.message)"))
    }
  }

  // MARK: Conformances

  private mutating func compareConformance(_ row: APITable.Row) throws(SyntaxProblem) {
    let type = row.symbol.prefix { $0 != ":" }.split(separator: ".").map(String.init)
    let scope = TypeScope(library.names, owner: type)
    let wanted = try DeclarationParser.declaration(row.declaration, in: scope)
    guard wanted.keyword == "extension", row.declaration.hasPrefix("extension \(row.symbol)") else {
      throw SyntaxProblem(message: "it has to begin with `extension \(row.symbol)`")
    }
    let constraints = wanted.constraints.adding(scope.context).description
    // `Codable` is two protocols.
    let here = wanted.inherited.map { name in
      library.conformances[wanted.name, default: []].filter { $0.protocolName == name }
    }
    if row.state != .present {
      if !here.allSatisfy(\.isEmpty) { exists(row) }
    } else if here.contains(where: \.isEmpty) {
      missing += 1
      report(row, "missing: `\(row.declaration)`")
    } else if let other = here.first(where: { $0.allSatisfy { $0.constraints != constraints } }) {
      differing += 1
      let conditions = other.map { $0.condition.isEmpty ? "always" : "where \($0.condition)" }
      report(
        row,
        "`\(row.symbol)` differs: Combine has `\(row.declaration)`, here it conforms "
          + conditions.sorted().joined(separator: ", "))
    }
  }

  // MARK: Declarations

  private mutating func findEqual(_ row: APITable.Row) throws(SyntaxProblem) -> Bool {
    let wanted = try declaration(of: row)
    let word = row.kind == "requirement" ? wanted.keyword : row.kind
    guard wanted.keyword == word || wanted.keyword == word + "?" else {
      throw SyntaxProblem(
        message: "the kind is '\(row.kind)', but it declares a '\(wanted.keyword)'")
    }
    let path = row.path.joined(separator: ".")
    let entries = library.entries[path, default: []]
    guard let match = free(row).first(where: { entries[$0].declaration.says(wanted) }) else {
      return false
    }
    found[path, default: []].insert(match)
    if row.state != .present { exists(row) }
    if row.isType { try compareMembers(row, wanted, entries[match]) }
    return true
  }

  private func declaration(of row: APITable.Row) throws(SyntaxProblem) -> Declaration {
    let scope = TypeScope(library.names, owner: row.isType ? row.path : row.owner)
    var declaration = try DeclarationParser.declaration(row.declaration, in: scope)
    if !row.isType { declaration.constraints.add(scope.context) }
    return declaration
  }

  /// The declarations at the path of a row that no other row stands for.
  private func free(_ row: APITable.Row) -> [Int] {
    let path = row.path.joined(separator: ".")
    let entries = library.entries[path, default: []]
    return entries.indices.filter {
      found[path]?.contains($0) != true && entries[$0].module == row.module
        && entries[$0].isRequirement == (row.kind == "requirement")
    }
  }

  private mutating func compareWithOthers(_ row: APITable.Row) {
    let path = row.path.joined(separator: ".")
    switch (row.state, free(row).first) {
    case (.present, let index?):
      found[path, default: []].insert(index)
      differing += 1
      let here = library.entries[path, default: []][index]
      differs(row, path, row.declaration, here)
      if row.isType {
        attempt(row) { (self) throws(SyntaxProblem) in
          try self.compareMembers(row, try self.declaration(of: row), here)
        }
      }
    case (.present, nil):
      missing += 1
      let owner = row.owner.isEmpty ? row.module : row.owner.joined(separator: ".")
      report(row, "missing: `\(row.declaration)` in `\(owner)`")
    case (.differs, let index?): found[path, default: []].insert(index)
    case (.differs, nil): report(row, "`\(row.symbol)` is missing, but its state is differs")
    case (_, _?): exists(row)
    case (_, nil): break
    }
  }

  private mutating func compareMembers(
    _ row: APITable.Row, _ wanted: Declaration, _ here: Library.Entry
  ) throws(SyntaxProblem) {
    let conformances = library.conformances[here.path, default: []]
    for name in wanted.inherited {
      let isInherited = here.declaration.inherited.contains(name)
      if !isInherited,
        !conformances.contains(where: { $0.protocolName == name && $0.condition.isEmpty })
      {
        report(row, "`\(row.symbol)` has to conform to `\(name)`")
      }
    }
    let scope = TypeScope(library.names, owner: row.path)
    for text in wanted.members {
      var member = try DeclarationParser.declaration(text, in: scope)
      member.constraints.add(scope.context)
      let path = here.path + "." + member.name
      let entries = library.entries[path, default: []]
      if let match = entries.indices.first(where: { entries[$0].declaration.says(member) }) {
        found[path, default: []].insert(match)
      } else if let other = entries.indices.first {
        found[path, default: []].insert(other)
        differs(row, path, text, entries[other])
      } else {
        report(row, "`\(row.symbol)` has no `\(text)`")
      }
    }
  }

  private mutating func differs(
    _ row: APITable.Row, _ path: String, _ declaration: String, _ here: Library.Entry
  ) {
    report(row, "`\(path)` differs: Combine has `\(declaration)`, here it's `\(here.text)`")
  }

  private mutating func exists(_ row: APITable.Row) {
    report(row, "`\(row.symbol)` exists, but its state is \(row.state.rawValue)")
  }

  // MARK: Symbols that Combine doesn't have

  private func symbolsWithoutRow() -> [Problem] {
    library.entries.flatMap { path, entries in
      entries.indices.compactMap { index -> Problem? in
        let entry = entries[index]
        // The row of a type has members too.
        let isUnreadable = unreadable.contains(path) || unreadable.contains(entry.owner)
        guard found[path]?.contains(index) != true, !isUnreadable,
          !library.fulfilsRequirement(entry)
        else { return nil }
        return Problem(
          file: table.file, line: 1,
          message: "the table has no row for `\(path)`, `\(entry.text)` in \(entry.module):"
            + " add one if Combine has it; if not, move it to StreamsExtras, or make it internal")
      }
    }
  }
}

extension APITable.Row {
  fileprivate var isType: Bool { ["struct", "class", "enum", "protocol"].contains(kind) }
}

extension Declaration {
  /// Whether two declarations say the same; conformances and members are compared on their own.
  fileprivate func says(_ other: Declaration) -> Bool {
    var (one, other) = (self, other)
    (one.inherited, one.members) = ([], [])
    (other.inherited, other.members) = ([], [])
    return one == other
  }
}
