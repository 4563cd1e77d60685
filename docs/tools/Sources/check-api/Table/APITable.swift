/// A line of a file, with what's wrong there.
struct Problem: Hashable, Comparable, CustomStringConvertible {
  let file: String
  let line: Int
  let message: String

  var description: String { "\(file):\(line): \(message)" }

  static func < (one: Problem, other: Problem) -> Bool {
    (one.file, one.line, one.message) < (other.file, other.line, other.message)
  }
}

/// The table of Combine's public symbols, one a line.
struct APITable {
  enum State: String, CaseIterable {
    /// The library has it, exactly as declared.
    case present
    /// It can't exist without Apple's frameworks or Objective-C.
    case appleOnly = "apple-only"
    /// The library has it with another declaration on purpose. The rule says why.
    case differs
    /// The library doesn't have it on purpose. The rule says why.
    case leftOut = "left out"
    /// The library has it, but symbol graphs don't show it. A test calls it.
    case unseen
  }

  struct Row {
    let line: Int
    /// `requirement` for a protocol's member, `conformance`, or the word that a declaration has.
    let kind: String
    let module: String
    /// The path with its labels, such as `Publisher.map(_:)`, or `Just: Equatable`.
    let symbol: String
    let declaration: String
    let since: String
    let state: State
    let rule: String
  }

  static let columns = ["kind", "module", "symbol", "declaration", "since", "state", "rule"]

  let file: String
  private(set) var rows: [Row] = []
  private(set) var problems: [Problem] = []
  /// The words that lines without a readable row begin with. The row's symbol is one of them.
  private(set) var unreadable: Set<String> = []

  /// Whether there is anything to compare a library with.
  var isReadable: Bool { !rows.isEmpty }

  /// - Parameters:
  ///   - text: The table, with columns between tabs and a first line that names them.
  ///   - file: The name that problems show.
  init(_ text: String, file: String) {
    self.file = file
    var rules: [String: Row] = [:]
    var seen: [String: Int] = [:]
    let lines = Self.lines(of: text)
    guard lines.first?.text == Self.columns.joined(separator: "\t") else {
      // With other columns, each row would be another problem.
      report(1, "the first line has to name the columns: \(Self.columns.joined(separator: ", "))")
      return
    }
    if lines.count == 1 { report(1, "the table has no rows: add one for each symbol of Combine") }
    for (number, line) in lines.dropFirst() {
      guard let row = row(line, number) else {
        unreadable.formUnion(line.split(whereSeparator: \.isWhitespace).prefix(3).map(String.init))
        continue
      }
      rows.append(row)
      if let first = seen.updateValue(number, forKey: row.kind + row.symbol + row.declaration) {
        report(number, "`\(row.symbol)` with this declaration stands in line \(first) already")
      }
      // Overloads share a rule, and so do a type's initializers. Anything else is filler.
      if let other = rules[row.rule], other.family != row.family {
        report(
          number,
          "the rule of `\(row.symbol)` is that of `\(other.symbol)` in line \(other.line):"
            + " say what this one does")
      }
      rules[row.rule] = row
    }
  }

  /// The lines of a text, which end in `\n` or `\r\n`, each with its number.
  static func lines(of text: String) -> [(number: Int, text: String)] {
    // Swift takes the two characters at the end of a line from Windows for one.
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines.enumerated().map { ($0.offset + 1, $0.element) }
  }

  private mutating func row(_ line: String, _ number: Int) -> Row? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == Self.columns.count else {
      report(number, "a row has \(Self.columns.count) columns, and this one has \(fields.count)")
      return nil
    }
    if let empty = fields.firstIndex(where: \.isEmpty) {
      report(number, "the column \(Self.columns[empty]) is empty")
      return nil
    }
    guard let state = State(rawValue: fields[5]) else {
      let states = State.allCases.map(\.rawValue).joined(separator: ", ")
      report(number, "the state is '\(fields[5])', expected one of: \(states)")
      return nil
    }
    guard fields[6].hasSuffix("."), fields[6].split(separator: " ").count > 2 else {
      report(number, "the rule of `\(fields[2])` has to be a sentence")
      return nil
    }
    return Row(
      line: number, kind: fields[0], module: fields[1], symbol: fields[2],
      declaration: fields[3], since: fields[4], state: state, rule: fields[6])
  }

  private mutating func report(_ line: Int, _ message: String) {
    problems.append(Problem(file: file, line: line, message: message))
  }
}

extension APITable.Row {
  /// The path of the type that it belongs to, or of the type itself.
  var owner: [String] { Array(Self.components(of: symbol).dropLast()) }

  var path: [String] { Self.components(of: symbol) }

  /// Rows with one rule have this in common: the name without labels, or the type of initializers.
  fileprivate var family: String {
    let name = path.last ?? ""
    if name.hasPrefix("init(") { return owner.joined(separator: ".") }
    return String(name.prefix { $0 != "(" || name.first == "(" })
  }

  /// Splits `Publishers.Map.init(upstream:)` at its dots; the name of an operator may have some.
  private static func components(of symbol: String) -> [String] {
    let labels = symbol.firstIndex(of: "(") ?? symbol.endIndex
    var names = symbol[..<labels].split(separator: ".", omittingEmptySubsequences: true)
      .map(String.init)
    if symbol[..<labels].hasSuffix("...") {
      names.append("...")
    }
    if labels < symbol.endIndex, !names.isEmpty {
      names[names.count - 1] += symbol[labels...]
    }
    return names
  }
}
