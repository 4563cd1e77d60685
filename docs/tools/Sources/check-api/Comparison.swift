import Foundation

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
    // Overloads share a path. So first each row takes the declaration that is equal to its own, and
    // then the others see what's left.
    var rest: [APITable.Row] = []
    for row in table.rows {
      if row.kind == "conformance" {
        compareConformance(row)
      } else if !findEqual(row) {
        rest.append(row)
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

  // MARK: Conformances

  private mutating func compareConformance(_ row: APITable.Row) {
    let names = row.symbol.components(separatedBy: ": ")
    let head = "extension \(row.symbol)"
    guard names.count == 2, row.declaration == head || row.declaration.hasPrefix(head + " where ")
    else {
      problems.append(
        Problem(
          file: table.file, line: row.line,
          message: "the declaration of `\(row.symbol)` has to begin with `\(head)`"))
      return
    }
    let condition = String(row.declaration.dropFirst((head + " where ").count))
    let here = Self.protocols(names[1]).map { library.conformances[names[0]]?[$0] ?? [] }
    if row.state != .present {
      if !here.allSatisfy(\.isEmpty) { exists(row) }
    } else if here.contains(where: \.isEmpty) {
      missing += 1
      report(row, "missing: `\(row.declaration)`")
    } else if let other = here.first(where: { !$0.contains(condition) }) {
      differing += 1
      let conditions = other.map { $0.isEmpty ? "always" : "where \($0)" }
      report(
        row,
        "`\(row.symbol)` differs: Combine has `\(row.declaration)`, here it conforms "
          + conditions.sorted().joined(separator: ", "))
    }
  }

  /// `Codable` is two protocols.
  private static func protocols(_ list: String) -> [String] {
    list.components(separatedBy: ", ").flatMap {
      $0 == "Codable" ? ["Encodable", "Decodable"] : [$0]
    }
  }

  // MARK: Declarations

  private mutating func findEqual(_ row: APITable.Row) -> Bool {
    let path = row.path.joined(separator: ".")
    let entries = library.entries[path, default: []]
    guard let match = free(row).first(where: { entries[$0].text == row.ownDeclaration }) else {
      return false
    }
    found[path, default: []].insert(match)
    if row.state != .present { exists(row) }
    compareMembers(row)
    return true
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
      differs(row, path, row.ownDeclaration, library.entries[path, default: []][index])
      compareMembers(row)
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

  /// Compares the protocols after a type's colon and the members in its braces.
  private mutating func compareMembers(_ row: APITable.Row) {
    let path = row.path.joined(separator: ".")
    for name in Self.protocols(row.inherited) where !name.isEmpty && name != "AnyObject" {
      if library.conformances[path]?[name]?.contains("") != true {
        report(row, "`\(row.symbol)` has to conform to `\(name)`")
      }
    }
    for member in row.members {
      let paths = library.members[path, default: []]
      let match = paths.lazy.compactMap { [library] path in
        library.entries[path]?.firstIndex { $0.text == member }.map { (path, $0) }
      }.first
      if let (path, index) = match {
        found[path, default: []].insert(index)
      } else {
        report(row, "`\(row.symbol)` has no `\(member)`")
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
  private var isType: Bool { ["struct", "class", "enum", "protocol"].contains(kind) }

  /// The declaration without what compares on its own: the protocols that a type conforms to, and
  /// its members. The compiler prints those that a protocol inherits.
  fileprivate var ownDeclaration: String {
    inherited.isEmpty
      ? head
      : start.components(separatedBy: ": ")[0]
        + head.dropFirst(start.count)
  }

  /// `Publisher, Equatable` of `struct Map<Upstream>: Publisher, Equatable where Upstream: P { … }`
  fileprivate var inherited: String {
    guard isType, kind != "protocol" else { return "" }
    let parts = start.components(separatedBy: ": ")
    return parts.count == 2 ? parts[1] : ""
  }

  fileprivate var members: [String] {
    head == declaration
      ? [] : declaration.dropFirst(head.count + 3).dropLast(2).components(separatedBy: "; ")
  }

  /// What stands before the members.
  private var head: String { isType ? declaration.components(separatedBy: " { ")[0] : declaration }

  /// What stands before the constraints.
  private var start: String { head.components(separatedBy: " where ")[0] }
}
