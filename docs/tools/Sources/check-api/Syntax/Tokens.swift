/// The tokens of a Swift declaration, without spaces.
struct Tokens {
  private let all: [String]
  private var position = 0

  init(_ text: String) {
    var found: [String] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      let token = Self.token(at: rest)
      // A name in backticks is the same name.
      found.append(token.filter { $0 != "`" })
      rest.removeFirst(token.count)
    }
    all = found
  }

  private static func token(at rest: Substring) -> Substring {
    for symbol in ["->", "==", "..."] where rest.hasPrefix(symbol) {
      return rest.prefix(symbol.count)
    }
    let first = rest.first ?? " "
    if first == "\"" {
      let end = rest.dropFirst().firstIndex(of: "\"") ?? rest.index(before: rest.endIndex)
      return rest[...end]
    }
    let word = rest.dropFirst(first == "@" || first == "#" ? 1 : 0).prefix(while: isPartOfName)
    return word.isEmpty ? rest.prefix(1) : rest[..<word.endIndex]
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "`"
  }

  var next: String? { position < all.count ? all[position] : nil }

  var afterNext: String? { position + 1 < all.count ? all[position + 1] : nil }

  var isAtEnd: Bool { position == all.count }

  /// Takes the next token.
  @discardableResult
  mutating func take() -> String? {
    defer { position += 1 }
    return next
  }

  /// Takes the next token if it's this one.
  mutating func take(_ token: String) -> Bool {
    guard next == token else { return false }
    position += 1
    return true
  }

  /// Takes the next token if it's a name.
  mutating func takeName() -> String? {
    guard let first = next?.first, Self.isPartOfName(first) || first == "$" else { return nil }
    return take()
  }

  /// Takes all tokens up to one of these that stands outside of brackets.
  mutating func take(until ends: Set<String>) -> [String] {
    var depth = 0
    var taken: [String] = []
    while let token = next {
      if depth == 0, ends.contains(token) { break }
      if ["(", "[", "{"].contains(token) { depth += 1 }
      if [")", "]", "}"].contains(token) { depth -= 1 }
      taken.append(token)
      position += 1
    }
    return taken
  }
}

/// A declaration that can't be read.
struct SyntaxProblem: Error, Equatable {
  let message: String
}
