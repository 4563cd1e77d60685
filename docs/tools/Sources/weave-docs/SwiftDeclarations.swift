/// The types, members and functions that a Swift source declares.
struct SwiftDeclarations {
  private(set) var all: [SwiftDeclaration] = []

  private struct Scope {
    let name: String
    let indentation: Int
    /// The keyword of the members that are public because the type is.
    let inheritance: [Substring]
  }

  private let lines: [String]
  private var scopes: [Scope] = []

  init(_ lines: [String]) {
    self.lines = lines
    var isInString = false
    for (index, line) in lines.enumerated() {
      if !isInString { read(line, at: index) }
      let quotes = line.split(separator: "\"\"\"", omittingEmptySubsequences: false)
      if quotes.count % 2 == 0 { isInString.toggle() }
    }
  }

  private mutating func read(_ line: String, at index: Int) {
    let code = line.drop { $0 == " " }
    if code.hasPrefix("///") { return }
    let indentation = line.utf8.count - code.utf8.count
    let words = code.split(separator: " ")
    let isKeyword = { (word: Substring) in
      let keyword = word.prefix(while: \.isLetter)
      return Self.types.contains(keyword) || Self.members.contains(keyword)
    }
    guard let position = words.firstIndex(where: isKeyword) else { return }
    let modifiers = words[..<position]
    let keyword = words[position].prefix(while: \.isLetter)
    let typeName = words[(position + 1)...].first.map(Self.typeName)
    scopes.removeAll { $0.indentation >= indentation }
    let isPublic = modifiers.contains("public") || modifiers.contains("open")
    if keyword == "extension", let name = typeName {
      scopes.append(Scope(name: String(name), indentation: indentation, inheritance: []))
    } else if Self.types.contains(keyword), let name = typeName {
      add(String(name), at: index, isType: true, isPublic: isPublic)
      let inheritance: [Substring] =
        switch keyword {
        case "enum" where isPublic: ["case"]
        case "protocol" where isPublic: ["func", "var", "init", "subscript"]
        default: []
        }
      let qualified = (scopes.last.map { $0.name + "." } ?? "") + name
      scopes.append(Scope(name: qualified, indentation: indentation, inheritance: inheritance))
    } else if indentation == scopes.last.map({ $0.indentation + 2 }) ?? 0 {
      let isInherited = scopes.last?.inheritance.contains(keyword) ?? false
      add(
        name(at: index, keyword: keyword), at: index, isType: false,
        isPublic: isPublic || isInherited)
    }
  }

  private mutating func add(
    _ name: String, at index: Int, isType: Bool, isPublic: Bool
  ) {
    all.append(
      SwiftDeclaration(
        owner: scopes.last?.name ?? "", name: name, line: index + 1, isType: isType,
        isPublic: isPublic))
  }

  /// The name of a member with its labels. Parameters that the compiler fills in are left out.
  private func name(at index: Int, keyword: Substring) -> String {
    let text = lines[index...].prefix(20).joined(separator: " ")
    guard let start = text.firstRange(of: keyword)?.upperBound else { return "" }
    let rest = text[start...].drop { $0 == " " || $0 == "?" }
    if keyword == "init" || keyword == "subscript" { return keyword + Self.labels(in: rest) }
    let base = rest.prefix { $0.isLetter || $0.isNumber || "_`+-*/=<>!~%&|".contains($0) }
    switch keyword {
    case "func":
      let name = base.prefix { $0 != "<" || !base.first!.isLetter }
      return name + Self.labels(in: rest.dropFirst(name.count))
    case "case" where rest.dropFirst(base.count).first == "(":
      return base + Self.labels(in: rest.dropFirst(base.count))
    default: return String(base)
    }
  }

  /// The labels of the first parameter list, such as `(by:)`.
  private static func labels(in text: Substring) -> String {
    var depth = 0
    var parameters = [""]
    for character in text.drop(while: { $0 != "(" }) {
      if character == ")" || character == "]" { depth -= 1 }
      if depth == 0, character == ")" { break }
      if depth == 1, character == "," {
        parameters.append("")
      } else if depth > 0 {
        parameters[parameters.count - 1].append(character)
      }
      if character == "(" || character == "[" { depth += 1 }
    }
    let labels = parameters.map { $0.trimmed }
      .filter { !$0.isEmpty && !$0.contains("= #") }
      .map { $0.firstMatch(of: /^(\w+)[^:(\[]*:/).map { "\($0.1):" } ?? "_:" }
    return "(\(labels.joined()))"
  }

  private static func typeName(_ word: Substring) -> Substring {
    word.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  private static let types: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "extension",
  ]
  private static let members: Set<Substring> = [
    "func", "var", "let", "init", "subscript", "typealias", "case",
  ]
}
