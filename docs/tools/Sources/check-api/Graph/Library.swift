/// The public symbols of a module, with their declarations in comparable form.
struct Library {
  struct Entry {
    let module: String
    let path: String
    /// The path of the type that has it; empty outside of types.
    let owner: String
    /// The declaration as the symbol graph has it, with the constraints of its extension.
    let text: String
    let declaration: Declaration
    /// Such as `swift.property`.
    let kind: String
    let isRequirement: Bool
    let isDocumented: Bool
    let location: String?
  }

  struct Conformance: Hashable {
    let protocolName: String
    /// The constraints in sorted form, with those of the type.
    let constraints: String
    /// The constraints that the symbol graph has; empty if the conformance always holds.
    let condition: String
  }

  private(set) var names = TypeScope.Names()
  private(set) var entries: [String: [Entry]] = [:]
  private(set) var conformances: [String: Set<Conformance>] = [:]
  /// Declarations that the reader doesn't understand.
  private(set) var problems: [String] = []

  /// The path of each symbol, by its precise identifier.
  private var paths: [String: String] = [:]
  private var requirements: [String: Set<String>] = Library.standardRequirements

  /// - Parameter graphs: The symbol graphs, each with the module that it describes.
  init(_ graphs: [(module: String, graph: SymbolGraph)]) {
    for (_, graph) in graphs { learnNames(of: graph) }
    for (module, graph) in graphs { add(graph, module: module) }
  }

  private mutating func learnNames(of graph: SymbolGraph) {
    for symbol in graph.symbols {
      paths[symbol.identifier.precise] = symbol.path
      let path = symbol.path
      switch symbol.kind.identifier {
      case "swift.struct", "swift.class", "swift.enum":
        let depth = symbol.swiftGenerics?.parameters?.map(\.depth).max() ?? 0
        names.generics[path] = (symbol.swiftGenerics?.parameters ?? [])
          .filter { $0.depth == depth && Self.declares(symbol.declaration, $0.name) }.map(\.name)
      case "swift.protocol":
        names.protocols.insert(path)
        names.generics[path, default: []] += []
      case "swift.associatedtype":
        names.generics[symbol.pathComponents.dropLast().joined(separator: "."), default: []]
          .append(symbol.pathComponents.last ?? "")
      case "swift.typealias": names.aliases[path] = symbol.declaration
      default: break
      }
    }
    for symbol in graph.symbols where names.generics[symbol.path] != nil {
      let scope = TypeScope(names, owner: symbol.pathComponents)
      guard let constraints = symbol.swiftGenerics?.constraints else { continue }
      names.contexts[symbol.path] = try? Self.constraints(constraints, in: scope)
    }
  }

  /// Whether a type's own declaration has this generic parameter, and not a type around it.
  private static func declares(_ declaration: String, _ name: String) -> Bool {
    let scope = TypeScope(TypeScope.Names(), owner: [])
    return (try? DeclarationParser.declaration(declaration, in: scope))?.generics.contains(name)
      ?? false
  }

  private mutating func add(_ graph: SymbolGraph, module: String) {
    var owners: [String: String] = [:]
    for symbol in graph.symbols {
      owners[symbol.identifier.precise] =
        symbol.pathComponents.dropLast().joined(separator: ".")
    }
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
      let owner = Array(symbol.pathComponents.dropLast())
      if isRequirement {
        requirements[owner.joined(separator: "."), default: []]
          .insert(symbol.pathComponents.last ?? "")
      }
      do throws(SyntaxProblem) {
        entries[symbol.path, default: []].append(
          Entry(
            module: module, path: symbol.path, owner: owner.joined(separator: "."),
            text: symbol.declaration + Self.condition(symbol),
            declaration: try declaration(of: symbol, owner: owner),
            kind: symbol.kind.identifier, isRequirement: isRequirement,
            isDocumented: symbol.docComment != nil,
            location: symbol.location.map { "\($0.uri.dropFirst(7)):\($0.position.line + 1)" }))
      } catch {
        problems.append("\(symbol.path): can't read its declaration: \(error.message)")
      }
    }
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
      guard let source = paths[relationship.source] ?? Self.lastName(in: relationship.source),
        let target = paths[relationship.target] ?? relationship.targetFallback
          ?? Self.lastName(in: relationship.target)
      else { continue }
      let scope = TypeScope(names, owner: source.split(separator: ".").map(String.init))
      guard
        let constraints = try? Self.constraints(relationship.swiftConstraints ?? [], in: scope)
      else { continue }
      conformances[source, default: []].insert(
        Conformance(
          protocolName: String(target.split(separator: ".").last ?? ""),
          constraints: constraints.adding(scope.context).description,
          condition: constraints.description))
    }
  }

  private func declaration(
    of symbol: SymbolGraph.Symbol, owner: [String]
  ) throws(SyntaxProblem) -> Declaration {
    let isType = names.generics[symbol.path] != nil
    let scope = TypeScope(names, owner: isType ? symbol.pathComponents : owner)
    var declaration = try DeclarationParser.declaration(symbol.declaration, in: scope)
    if !isType {
      declaration.constraints.add(
        try Self.constraints(symbol.swiftExtension?.constraints ?? [], in: scope))
      declaration.constraints.add(scope.context)
    }
    return declaration
  }

  /// The constraints of the extension that a symbol stands in, as a `where` clause.
  private static func condition(_ symbol: SymbolGraph.Symbol) -> String {
    let constraints = (symbol.swiftExtension?.constraints ?? []).map {
      "\($0.lhs) \($0.kind == "sameType" ? "==" : ":") \($0.rhs)"
    }
    if constraints.isEmpty { return "" }
    return (symbol.declaration.contains(" where ") ? ", " : " where ")
      + constraints.joined(separator: ", ")
  }

  private static func constraints(
    _ constraints: [SymbolGraph.Constraint], in scope: TypeScope
  ) throws(SyntaxProblem) -> Constraints {
    var result = Constraints()
    for constraint in constraints where !["Copyable", "Escapable"].contains(constraint.rhs) {
      let type = try DeclarationParser.type(constraint.lhs, in: scope)
      // `Self: Publisher` holds for each member of a protocol's extension.
      if type == "Self", constraint.rhs == scope.owner.last { continue }
      if constraint.kind == "sameType" {
        result.equate(type, try DeclarationParser.type(constraint.rhs, in: scope))
      } else {
        result.conform(type, to: constraint.rhs)
      }
    }
    return result
  }

  /// Whether a symbol only fulfils a requirement: of a protocol that its type conforms to, or, as a
  /// default, of the protocol that it extends.
  func fulfilsRequirement(_ entry: Entry) -> Bool {
    let owner = entry.owner
    let name = String(entry.path.dropFirst(owner.isEmpty ? 0 : owner.count + 1))
    if !entry.isRequirement, requirements[owner]?.contains(name) == true { return true }
    return conformances[owner, default: []].contains {
      requirements[$0.protocolName]?.contains(name) == true
        || names.generics[$0.protocolName]?.contains(name) == true
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
