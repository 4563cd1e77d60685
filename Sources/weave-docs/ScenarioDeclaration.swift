/// The call `Scenario("name", "summary")` in a scenario's `main.swift`.
///
/// It's read from the source, because running each scenario to get its summary would be slow.
struct ScenarioDeclaration: Equatable {
  let name: String
  let summary: String
  let line: Int

  /// Finds the first call whose first two arguments are plain string literals.
  init?(in lines: [String]) {
    for (index, line) in lines.enumerated() {
      let code = line.trimming(\.isWhitespace)
      guard !code.hasPrefix("//"), let call = Self.arguments(in: line) else { continue }
      // The arguments may stand on lines of their own.
      var scanner = LiteralScanner(
        ([call] + lines[(index + 1)...].prefix(6)).joined(separator: "\n"))
      guard let name = scanner.literal(), scanner.comma(), let summary = scanner.literal() else {
        continue
      }
      self.init(name: name, summary: summary, line: index + 1)
      return
    }
    return nil
  }

  init(name: String, summary: String, line: Int) {
    self.name = name
    self.summary = summary
    self.line = line
  }

  private static func arguments(in line: String) -> String? {
    let call = "Scenario("
    var rest = Substring(line)
    var before: Character?
    while !rest.isEmpty {
      let isName = before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
      if rest.hasPrefix(call) && !isName { return String(rest.dropFirst(call.count)) }
      before = rest.removeFirst()
    }
    return nil
  }
}

/// Reads string literals off the front of Swift code.
private struct LiteralScanner {
  private var rest: Substring

  init(_ text: String) { rest = Substring(text) }

  mutating func comma() -> Bool {
    skipSpace()
    return rest.popFirst() == ","
  }

  /// A plain string literal, after an optional argument label.
  mutating func literal() -> String? {
    skipSpace()
    let label = rest.prefix { $0.isLetter }
    if !label.isEmpty {
      rest = rest.dropFirst(label.count)
      guard rest.popFirst() == ":" else { return nil }
      skipSpace()
    }
    guard rest.popFirst() == "\"" else { return nil }
    var literal = ""
    while let character = rest.popFirst(), character != "\n" {
      if character == "\"" { return literal }
      if character == "\\" {
        guard let escaped = rest.popFirst(), escaped == "\"" || escaped == "\\" else { return nil }
        literal.append(escaped)
      } else {
        literal.append(character)
      }
    }
    return nil
  }

  private mutating func skipSpace() { rest = rest.drop { $0.isWhitespace } }
}
