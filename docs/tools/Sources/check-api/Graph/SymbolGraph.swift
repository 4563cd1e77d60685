import Foundation

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

    struct Conditions: Decodable {
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
    let swiftGenerics: Conditions?
    let swiftExtension: Conditions?
    let docComment: Comment?
    let location: Location?

    var path: String { pathComponents.joined(separator: ".") }

    /// The path of the type that has it; empty outside of types.
    var owner: String { pathComponents.dropLast().joined(separator: ".") }

    /// As the compiler prints it, without the attribute that all asynchronous functions here have.
    var declaration: String {
      (declarationFragments ?? []).map(\.spelling).joined()
        .replacingOccurrences(of: " : ", with: ": ")
        .replacingOccurrences(of: "nonisolated(nonsending) ", with: "")
    }
  }

  struct Constraint: Decodable {
    /// `conformance`, `superclass` or `sameType`.
    let kind: String
    let lhs: String
    let rhs: String

    var text: String { lhs + (kind == "sameType" ? " == " : ": ") + rhs }
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
