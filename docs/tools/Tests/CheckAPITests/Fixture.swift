import Foundation
import Testing

@testable import check_api

/// A symbol graph and a table, small enough to read.
struct Fixture {
  /// One symbol as `swift symbolgraph-extract` describes it.
  struct Symbol {
    var kind: String
    var path: String
    var declaration: String
    /// The constraints of its extension, such as `Self.Failure == Never`.
    var condition: [String] = []
    /// The constraints of its generic parameters.
    var constraints: [String] = []
    var isDocumented = true
    /// Whether a protocol requires it.
    var isRequirement = false
  }

  /// A type's conformance; its condition is such as `Upstream: Equatable`.
  struct Conformance {
    var type: String
    var name: String
    var condition: [String] = []
  }

  var symbols = [
    Symbol(
      kind: "protocol", path: "Publisher", declaration: "protocol Publisher<Output, Failure>"),
    Symbol(kind: "associatedtype", path: "Publisher.Output", declaration: "associatedtype Output"),
    Symbol(
      kind: "associatedtype", path: "Publisher.Failure",
      declaration: "associatedtype Failure : Error"),
    Symbol(kind: "enum", path: "Publishers", declaration: "enum Publishers"),
    Symbol(
      kind: "struct", path: "Publishers.Merge",
      declaration: "struct Merge<A, B> where A : Publisher, B : Publisher, A.Output == B.Output"),
    Symbol(
      kind: "typealias", path: "Publishers.Merge.Output",
      declaration: "typealias Output = A.Output"),
    Symbol(kind: "property", path: "Publishers.Merge.a", declaration: "let a: A"),
    Symbol(
      kind: "init", path: "Publishers.Merge.init(_:_:)", declaration: "init(_ a: A, _ b: B)"),
    Symbol(
      kind: "method", path: "Publisher.scan(_:_:)",
      declaration: "func scan<T>(_ initialResult: T, _ next: @escaping (T, Self.Output) -> T)"
        + " -> Publishers.Scan<Self, T>"),
    Symbol(
      kind: "method", path: "Publisher.sink(receiveValue:)",
      declaration: "func sink(receiveValue: @escaping (Self.Output) -> Void) -> AnyCancellable",
      condition: ["Self.Failure == Never"]),
  ]
  var conformances = [
    Conformance(type: "Publishers.Merge", name: "Publisher"),
    Conformance(
      type: "Publishers.Merge", name: "Equatable", condition: ["A: Equatable", "B: Equatable"]),
  ]
  var rows = [
    "protocol|Streams|Publisher|protocol Publisher<Output, Failure> { associatedtype Output;"
      + " associatedtype Failure: Error }|iOS 13|present|Sends values to its subscribers.",
    "enum|Streams|Publishers|enum Publishers|iOS 13|present|The namespace of operators.",
    "struct|Streams|Publishers.Merge|struct Merge<A, B>: Publisher where A: Publisher,"
      + " B: Publisher, A.Output == B.Output { typealias Output = A.Output; let a: A }"
      + "|iOS 13|present|The type behind the operator.",
    "init|Streams|Publishers.Merge.init(_:_:)|init(_ a: A, _ b: B)|iOS 13|present"
      + "|Makes one of both sides.",
    "conformance|Streams|Publishers.Merge: Equatable|extension Publishers.Merge: Equatable"
      + " where A: Equatable, B: Equatable|iOS 13|present|Equal if both sides are.",
    "func|Streams|Publisher.scan(_:_:)|func scan<T>(_ initialResult: T,"
      + " _ next: @escaping (T, Self.Output) -> T) -> Publishers.Scan<Self, T>|iOS 13|present|Publishes each result so far.",
    "func|Streams|Publisher.sink(receiveValue:)|func sink(receiveValue: @escaping (Self.Output)"
      + " -> Void) -> AnyCancellable where Self.Failure == Never|iOS 13|present|Calls a closure for each value.",
  ]

  /// The result of the check.
  func comparison() throws -> Comparison {
    Comparison(try library(), table: table)
  }

  var table: APITable { APITable(tableText, file: "api.tsv") }

  var tableText: String {
    Self.text([APITable.columns.joined(separator: "|")] + rows)
  }

  func library() throws -> Library { Library([("Streams", try graph())]) }

  /// The problems, without the places of the files.
  func problems() throws -> [String] { try comparison().problems.map(\.description) }

  /// Changes the declaration of a symbol.
  mutating func change(_ path: String, _ from: String, _ to: String) throws {
    let index = try #require(symbols.firstIndex { $0.path == path })
    try #require(symbols[index].declaration.contains(from))
    symbols[index].declaration = symbols[index].declaration.replacingOccurrences(of: from, with: to)
  }

  mutating func remove(_ path: String) { symbols.removeAll { $0.path == path } }

  private static func text(_ lines: [String]) -> String {
    lines.map { $0.replacingOccurrences(of: "|", with: "\t") + "\n" }.joined()
  }

  func graph() throws -> SymbolGraph {
    try JSONDecoder().decode(SymbolGraph.self, from: try graphData())
  }

  func graphData() throws -> Data {
    let described: [[String: Any]] = symbols.map { symbol in
      let names = symbol.path.split(separator: ".").map(String.init)
      var result: [String: Any] = [
        "kind": ["identifier": "swift." + symbol.kind],
        "identifier": ["precise": "s:\(symbol.path)\(symbol.declaration)"],
        "pathComponents": names,
        "declarationFragments": [["spelling": symbol.declaration]],
        "swiftGenerics": ["constraints": symbol.constraints.map(constraint)],
        "swiftExtension": ["constraints": symbol.condition.map(constraint)],
      ]
      if symbol.isDocumented { result["docComment"] = [String: String]() }
      return result
    }
    let required: [[String: Any]] = symbols.filter(\.isRequirement).map { symbol in
      [
        "kind": "requirementOf", "source": "s:\(symbol.path)\(symbol.declaration)",
        "target": "s:7Streams",
      ]
    }
    let relations: [[String: Any]] = conformances.compactMap { conformance in
      guard let type = symbols.first(where: { $0.path == conformance.type }) else { return nil }
      return [
        "kind": "conformsTo", "source": "s:\(type.path)\(type.declaration)",
        "target": "s:7Streams", "targetFallback": "Streams.\(conformance.name)",
        "swiftConstraints": conformance.condition.map(constraint),
      ]
    }
    return try JSONSerialization.data(
      withJSONObject: ["symbols": described, "relationships": relations + required])
  }

  private func constraint(_ text: String) -> [String: String] {
    let isSame = text.contains(" == ")
    let sides = text.components(separatedBy: isSame ? " == " : ": ")
    return ["kind": isSame ? "sameType" : "conformance", "lhs": sides[0], "rhs": sides[1]]
  }
}
