/// The public symbols of a module.
struct Library {
  struct Entry {
    let module: String
    let path: String
    /// The path of the type that has it; empty outside of types.
    let owner: String
    /// The declaration as the compiler prints it, with the constraints of its extension.
    let text: String
    /// Such as `swift.property`.
    let kind: String
    let isRequirement: Bool
    let isDocumented: Bool
    let location: String?
  }

  /// The overloads at each path.
  private(set) var entries: [String: [Entry]] = [:]
  /// The paths of the members of each type.
  private(set) var members: [String: Set<String>] = [:]
  /// The conditions under which a type conforms, by its path and the protocol's name. An empty
  /// condition always holds.
  private(set) var conformances: [String: [String: Set<String>]] = [:]

  /// The path of each symbol, by its precise identifier.
  private var paths: [String: String] = [:]
  /// The constraints of each type's own parameters, which hold for its members too.
  private var ownConstraints: [String: Set<String>] = [:]
  private var requirements: [String: Set<String>] = Library.standardRequirements
  private var associatedTypes: [String: Set<String>] = [:]

  /// - Parameter graphs: The symbol graphs, each with the module that it describes.
  init(_ graphs: [(module: String, graph: SymbolGraph)]) {
    for symbol in graphs.lazy.flatMap(\.graph.symbols) {
      paths[symbol.identifier.precise] = symbol.path
      switch symbol.kind.identifier {
      case "swift.struct", "swift.class", "swift.enum":
        ownConstraints[symbol.path] = Set((symbol.swiftGenerics?.constraints ?? []).map(\.text))
      case "swift.associatedtype":
        associatedTypes[symbol.owner, default: []].insert(symbol.pathComponents.last ?? "")
      default: break
      }
    }
    for (module, graph) in graphs { add(graph, module: module) }
  }

  private mutating func add(_ graph: SymbolGraph, module: String) {
    let owners = Dictionary(
      graph.symbols.map { ($0.identifier.precise, $0.owner) }, uniquingKeysWith: { $1 })
    // A type of another module isn't in the graph, but the paths of its new members name it.
    for relationship in graph.relationships where relationship.kind == "memberOf" {
      if paths[relationship.target] == nil {
        paths[relationship.target] = owners[relationship.source]
      }
    }
    let required = Set(
      graph.relationships.filter {
        $0.kind == "requirementOf" || $0.kind == "optionalRequirementOf"
      }
      .map(\.source))
    for symbol in graph.symbols where symbol.kind.identifier != "swift.extension" {
      let isRequirement = required.contains(symbol.identifier.precise)
      if isRequirement {
        requirements[symbol.owner, default: []].insert(symbol.pathComponents.last ?? "")
      }
      members[symbol.owner, default: []].insert(symbol.path)
      entries[symbol.path, default: []].append(
        Entry(
          module: module, path: symbol.path, owner: symbol.owner, text: text(of: symbol),
          kind: symbol.kind.identifier, isRequirement: isRequirement,
          isDocumented: symbol.docComment != nil,
          location: symbol.location.map { "\($0.uri.dropFirst(7)):\($0.position.line + 1)" }))
    }
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
      guard let source = paths[relationship.source] ?? Self.lastName(in: relationship.source),
        let target = paths[relationship.target] ?? relationship.targetFallback
          ?? Self.lastName(in: relationship.target)
      else { continue }
      let name = String(target.split(separator: ".").last ?? "")
      conformances[source, default: [:]][name, default: []]
        .insert(condition(relationship.swiftConstraints, of: source))
    }
  }

  private func text(of symbol: SymbolGraph.Symbol) -> String {
    let condition = condition(symbol.swiftExtension?.constraints, of: symbol.owner)
    if condition.isEmpty { return symbol.declaration }
    return symbol.declaration + (symbol.declaration.contains(" where ") ? ", " : " where ")
      + condition
  }

  /// Constraints as in a `where` clause, without those that hold for the whole type anyway.
  private func condition(_ constraints: [SymbolGraph.Constraint]?, of type: String) -> String {
    (constraints ?? []).map(\.text)
      .filter { $0 != "Self: \(type)" && ownConstraints[type]?.contains($0) != true }
      .joined(separator: ", ")
  }

  /// Whether a symbol only fulfils a requirement: of a protocol that its type conforms to, or, as a
  /// default, of the protocol that it extends.
  func fulfilsRequirement(_ entry: Entry) -> Bool {
    let owner = entry.owner
    let name = String(entry.path.dropFirst(owner.isEmpty ? 0 : owner.count + 1))
    if !entry.isRequirement, requirements[owner]?.contains(name) == true { return true }
    return conformances[owner, default: [:]].keys.contains {
      requirements[$0]?.contains(name) == true || associatedTypes[$0]?.contains(name) == true
    }
  }

  /// Whether a symbol is an argument of an operator, kept in the publisher that the operator
  /// returns, or the initializer that takes all of them. The operator's comment explains these.
  func repeatsAnOperator(_ entry: Entry) -> Bool {
    entry.owner.hasPrefix("Publishers.") && ["swift.property", "swift.init"].contains(entry.kind)
  }

  /// The requirements of the standard library's protocols; no symbol graph here has them.
  private static let standardRequirements: [String: Set<String>] = [
    "Equatable": ["==(_:_:)"],
    "Hashable": ["hash(into:)", "hashValue"],
    "Comparable": ["<(_:_:)", "<=(_:_:)", ">(_:_:)", ">=(_:_:)"],
    "Encodable": ["encode(to:)"],
    "Decodable": ["init(from:)"],
    "CustomStringConvertible": ["description"],
    "CustomDebugStringConvertible": ["debugDescription"],
    "CustomReflectable": ["customMirror"],
    "CustomPlaygroundDisplayConvertible": ["playgroundDescription"],
    "IteratorProtocol": ["next()"],
    "AsyncIteratorProtocol": ["next()", "next(isolation:)", "Element", "Failure"],
    "AsyncSequence": ["makeAsyncIterator()", "AsyncIterator", "Element", "Failure"],
    "AdditiveArithmetic": ["+(_:_:)", "-(_:_:)", "+=(_:_:)", "-=(_:_:)", "zero"],
    "Numeric": ["*(_:_:)", "*=(_:_:)", "magnitude", "init(exactly:)"],
    "ExpressibleByIntegerLiteral": ["init(integerLiteral:)"],
    "ExpressibleByFloatLiteral": ["init(floatLiteral:)"],
    "Strideable": ["advanced(by:)", "distance(to:)"],
  ]

  /// The last name in a mangled one: `JSONDecoder` in `s:20FoundationEssentials11JSONDecoderC`.
  private static func lastName(in mangled: String) -> String? {
    var rest = mangled.drop { !$0.isNumber }
    var last: String?
    while let length = Int(rest.prefix { $0.isNumber }), length > 0 {
      rest = rest.drop { $0.isNumber }
      last = String(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return last
  }
}
