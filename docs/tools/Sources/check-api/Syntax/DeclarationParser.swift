/// Reads declarations as they stand in symbol graphs and in the table.
///
/// It knows the part of Swift that public declarations of this project use, and says so if it meets
/// anything else.
struct DeclarationParser {
  private var tokens: Tokens
  private var scope: TypeScope

  /// - Parameter scope: The names that the declaration sees.
  /// - Throws: `SyntaxProblem` if the text isn't a declaration that it knows.
  static func declaration(
    _ text: String, in scope: TypeScope
  ) throws(SyntaxProblem) -> Declaration {
    var parser = DeclarationParser(tokens: Tokens(text), scope: scope)
    let declaration = try parser.declaration()
    if let token = parser.tokens.next {
      throw SyntaxProblem(message: "unexpected '\(token)' in: \(text)")
    }
    return declaration
  }

  /// The full name of a type.
  static func type(_ text: String, in scope: TypeScope) throws(SyntaxProblem) -> String {
    var parser = DeclarationParser(tokens: Tokens(text), scope: scope)
    return try parser.type()
  }

  private mutating func declaration() throws(SyntaxProblem) -> Declaration {
    var modifiers: Set<String> = []
    while let token = tokens.next {
      if token.hasPrefix("@") {
        tokens.take()
        if tokens.take("(") {
          _ = tokens.take(until: [")"])
          tokens.take()
        }
      } else if ["static", "mutating", "final"].contains(token) {
        modifiers.insert(token)
        tokens.take()
      } else if tokens.take("nonisolated") {
        // `nonisolated(nonsending)` runs on the caller's actor, as a function of Combine does.
        if tokens.take("(") {
          _ = tokens.take(until: [")"])
          tokens.take()
        }
      } else if ["convenience", "required", "override", "indirect", "open"]
        .contains(token)
      {
        tokens.take()
      } else {
        break
      }
    }
    guard let keyword = tokens.take() else {
      throw SyntaxProblem(message: "a declaration is empty")
    }
    // Members of a final class say that they're final too.
    if keyword != "class" { modifiers.remove("final") }
    var result = Declaration(keyword: keyword, name: "", modifiers: modifiers)
    switch keyword {
    case "struct", "class", "enum", "protocol", "extension": try nominal(&result)
    case "func", "init", "subscript", "case": try callable(&result)
    case "let", "var": try property(&result)
    case "typealias", "associatedtype": try alias(&result)
    default: throw SyntaxProblem(message: "'\(keyword)' doesn't begin a declaration")
    }
    return result
  }

  private mutating func nominal(_ result: inout Declaration) throws(SyntaxProblem) {
    result.name = try path()
    if tokens.take("<") {
      repeat {
        guard let name = tokens.takeName() else { throw unexpected("a generic parameter") }
        result.generics.append(name)
        if tokens.take(":") { result.constraints.conform(name, to: try path()) }
      } while tokens.take(",")
      try expect(">")
    }
    if tokens.take(":") {
      repeat {
        let name = try path()
        result.inherited += name == "Codable" ? ["Encodable", "Decodable"] : [name]
      } while tokens.take(",")
    }
    try requirements(&result.constraints)
    if tokens.take("{") {
      while !tokens.take("}") {
        guard tokens.next != nil else { throw unexpected("}") }
        let member = tokens.take(until: [";", "}"])
        if !member.isEmpty { result.members.append(member.joined(separator: " ")) }
        _ = tokens.take(";")
      }
    }
  }

  private mutating func callable(_ result: inout Declaration) throws(SyntaxProblem) {
    switch result.keyword {
    case "init":
      result.name = "init"
      if tokens.take("?") { result.keyword = "init?" }
    case "subscript": result.name = "subscript"
    default:
      if let name = tokens.takeName() {
        result.name = name
      } else {
        result.name = tokens.take(until: ["("]).joined()
      }
    }
    if tokens.take("<") {
      repeat {
        guard let name = tokens.takeName() else { throw unexpected("a generic parameter") }
        let number = "$\(result.generics.count)"
        result.generics.append(number)
        scope.renamed[name] = number
        if tokens.take(":") { result.constraints.conform(number, to: try path()) }
      } while tokens.take(",")
      try expect(">")
    }
    if tokens.take("(") {
      result.parameters = []
      while !tokens.take(")") {
        result.parameters?.append(try parameter(ofCase: result.keyword == "case"))
        if !tokens.take(","), tokens.next != ")" { throw unexpected(")") }
      }
    }
    result.effects = try effects()
    if tokens.take("->") { result.type = try type() }
    if result.keyword == "func", result.type == nil { result.type = "Void" }
    try requirements(&result.constraints)
    result.accessors = try accessors() ?? []
  }

  private mutating func parameter(
    ofCase isCase: Bool
  ) throws(SyntaxProblem) -> Declaration.Parameter {
    var label = "_"
    let isLabelled = tokens.afterNext == ":"
    if isLabelled || !isCase {
      label = tokens.takeName() ?? "_"
      if !isLabelled { _ = tokens.takeName() }
      try expect(":")
    }
    let type = try type()
    var defaultValue: String?
    if tokens.take("=") {
      defaultValue = tokens.take(until: [",", ")"]).joined(separator: " ")
    }
    return Declaration.Parameter(label: label, type: type, defaultValue: defaultValue)
  }

  private mutating func property(_ result: inout Declaration) throws(SyntaxProblem) {
    let isConstant = result.keyword == "let"
    // A constant reads like a property that can't be set.
    result.keyword = "var"
    result.name = tokens.takeName() ?? ""
    try expect(":")
    result.type = try type()
    try requirements(&result.constraints)
    result.accessors = try accessors() ?? (isConstant ? ["get"] : ["get", "set"])
  }

  /// `get`, `set`, `mutating get`, `get async throws` and so on.
  private mutating func accessors() throws(SyntaxProblem) -> Set<String>? {
    guard tokens.take("{") else { return nil }
    var found: [[String]] = []
    var prefix: [String] = []
    while let token = tokens.take(), token != "}" {
      switch token {
      case ";": continue
      case "mutating", "nonmutating": prefix = [token]
      case "get", "set", "_modify":
        // A setter changes its value, so it's mutating unless it says otherwise.
        found.append(prefix + [token == "get" ? "get" : "set"])
        prefix = []
      case "async", "throws": if !found.isEmpty { found[found.count - 1].append(token) }
      default: throw SyntaxProblem(message: "'\(token)' isn't an accessor")
      }
    }
    return Set(found.map { $0.joined(separator: " ") })
  }

  private mutating func alias(_ result: inout Declaration) throws(SyntaxProblem) {
    result.name = tokens.takeName() ?? ""
    if tokens.take("<") {
      result.generics = tokens.take(until: [">"]).filter { $0 != "," }
      try expect(">")
    }
    if tokens.take(":") {
      repeat { result.constraints.conform(result.name, to: try path()) } while tokens.take(",")
    }
    if tokens.take("=") { result.type = try type() }
    try requirements(&result.constraints)
  }

  private mutating func requirements(_ constraints: inout Constraints) throws(SyntaxProblem) {
    guard tokens.take("where") else { return }
    repeat {
      let type = try type()
      if tokens.take(":") {
        constraints.conform(type, to: try path())
      } else {
        try expect("==")
        constraints.equate(type, try self.type())
      }
    } while tokens.take(",")
  }

  private mutating func effects() throws(SyntaxProblem) -> [String] {
    var found: [String] = []
    while let token = tokens.next, ["async", "throws", "rethrows"].contains(token) {
      tokens.take()
      found.append(token)
      if token == "throws", tokens.take("(") {
        found.append("(\(try type()))")
        try expect(")")
      }
    }
    return found
  }

  // MARK: Types

  /// The full name of the type that comes next.
  private mutating func type() throws(SyntaxProblem) -> String {
    var prefix = ""
    while let token = tokens.next {
      if token == "any" {
        tokens.take()
      } else if token == "inout" || token == "some" || token == "sending" || token == "isolated" {
        tokens.take()
        prefix += token + " "
      } else if token.hasPrefix("@") {
        tokens.take()
        prefix += token + " "
      } else {
        break
      }
    }
    var text = try primary()
    postfix: while true {
      switch tokens.next {
      case "?": text += "?"
      case "...": text += "..."
      case ".":
        tokens.take()
        text += "." + (tokens.next ?? "")
      case "&":
        tokens.take()
        text += " & " + (try primary())
        continue postfix
      default: break postfix
      }
      tokens.take()
    }
    let effects = try effects()
    if tokens.take("->") {
      if !text.hasPrefix("(") { text = "(\(text))" }
      if text == "(Void)" { text = "()" }
      let result = try type()
      text = "(" + ([text] + effects + ["->", result]).joined(separator: " ") + ")"
    } else if text == "()" {
      text = "Void"
    }
    return prefix + text
  }

  private mutating func primary() throws(SyntaxProblem) -> String {
    if tokens.take("[") {
      var text = "[" + (try type())
      if tokens.take(":") { text += ": " + (try type()) }
      try expect("]")
      return text + "]"
    }
    if tokens.take("(") { return try tuple() }
    var components: [(name: String, arguments: [String])] = []
    repeat {
      guard let name = tokens.takeName() else { throw unexpected("a type") }
      var arguments: [String] = []
      if tokens.take("<") {
        repeat { arguments.append(try type()) } while tokens.take(",")
        try expect(">")
      }
      components.append((name, arguments))
      if tokens.next == ".", tokens.afterNext == "Type" { break }
    } while tokens.take(".")
    return scope.resolve(components)
  }

  /// A type in parentheses is the type itself, unless it's a function's parameter.
  private mutating func tuple() throws(SyntaxProblem) -> String {
    var elements: [String] = []
    while !tokens.take(")") {
      var label = ""
      if tokens.afterNext == ":", let name = tokens.takeName() {
        _ = tokens.take(":")
        label = name + ": "
      } else if tokens.next == "_" {
        tokens.take()
        _ = tokens.takeName()
        try expect(":")
      }
      elements.append(label + (try type()))
      if !tokens.take(","), tokens.next != ")" { throw unexpected(")") }
    }
    let isFunction = ["->", "throws", "async"].contains(tokens.next)
    if elements.count == 1, !isFunction { return elements[0] }
    return "(" + elements.joined(separator: ", ") + ")"
  }

  /// A name with dots: of a type, or of a protocol, which always stands outside of types.
  private mutating func path() throws(SyntaxProblem) -> String {
    var names: [String] = []
    repeat {
      guard let name = tokens.takeName() else { throw unexpected("a name") }
      names.append(name)
    } while tokens.take(".")
    return names.joined(separator: ".")
  }

  private mutating func expect(_ token: String) throws(SyntaxProblem) {
    if !tokens.take(token) { throw unexpected(token) }
  }

  private func unexpected(_ expected: String) -> SyntaxProblem {
    SyntaxProblem(
      message: "'\(tokens.next ?? "the end")' stands where \(expected) is expected")
  }
}
