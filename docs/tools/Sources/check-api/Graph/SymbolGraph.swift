/// A file that `swift symbolgraph-extract` writes, as far as the check needs it.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable {
      let identifier: String
    }

    struct Identifier: Decodable {
      let precise: String
    }

    struct Fragment: Decodable {
      let spelling: String
    }

    struct Generics: Decodable {
      struct Parameter: Decodable {
        let name: String
        let depth: Int
      }

      let parameters: [Parameter]?
      let constraints: [Constraint]?
    }

    struct Extension: Decodable {
      let constraints: [Constraint]?
    }

    struct Comment: Decodable {}

    struct Location: Decodable {
      struct Position: Decodable {
        let line: Int
      }

      let uri: String
      let position: Position
    }

    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]?
    let swiftGenerics: Generics?
    let swiftExtension: Extension?
    let docComment: Comment?
    let location: Location?

    var path: String { pathComponents.joined(separator: ".") }

    var declaration: String { (declarationFragments ?? []).map(\.spelling).joined() }
  }

  struct Constraint: Decodable {
    /// `conformance`, `superclass` or `sameType`.
    let kind: String
    let lhs: String
    let rhs: String
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
    let swiftConstraints: [Constraint]?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}
