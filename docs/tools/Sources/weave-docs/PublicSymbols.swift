/// The public types, members and functions of a module, each with the first sentence of its
/// comment.
///
/// The indentation shows which type a member belongs to, because `make lint` holds the layout.
/// Descriptions, comparisons, operators and the members of a subscriber are left out: each type has
/// them that needs them.
struct PublicSymbols {
  struct Symbol: Hashable {
    /// The name with its labels, such as `advance(by:)`.
    let name: String
    let purpose: String
  }

  struct Owner {
    /// The name with those of the types around it; `nil` for functions outside of types.
    let name: String?
    /// The first sentence of its comment; `nil` for a type of another module.
    let purpose: String?
    var members: [Symbol] = []
  }

  /// Functions outside of types, then the module's own types, then those that it extends.
  private(set) var owners: [Owner] = []
  /// The public symbols that have no comment.
  private(set) var problems: [Problem] = []

  private var purposes: [String: String] = [:]
  private var hidden: Set<String> = []
  private var members: [String: [Symbol]] = [:]

  init(_ tree: any FileTree, module: String) {
    for path in tree.files(below: "Sources/\(module)", suffix: ".swift") {
      let declarations = SwiftDeclarations(tree.lines(of: path))
      for declaration in declarations.all { add(declaration, from: path) }
    }
    let names = Set(members.keys).union(purposes.keys).subtracting(hidden)
    owners = names.sorted { (rank(of: $0), $0) < (rank(of: $1), $1) }.map { name in
      Owner(
        name: name.isEmpty ? nil : name, purpose: purposes[name], members: members[name] ?? [])
    }
  }

  private func rank(of name: String) -> Int {
    if name.isEmpty { return 0 }
    return purposes[name] == nil ? 2 : 1
  }

  private mutating func add(_ declaration: SwiftDeclaration, from path: String) {
    let name = declaration.name
    if declaration.isType && !declaration.isPublic { hidden.insert(declaration.qualifiedName) }
    guard declaration.isPublic, !Self.isLeftOut(name) else { return }
    guard let purpose = declaration.firstSentence else {
      problems.append(
        Location(path: path, line: declaration.line)
          .problem("`\(declaration.qualifiedName)` is public, but has no comment: add one"))
      return
    }
    if declaration.isType {
      purposes[declaration.qualifiedName] = purpose
    } else {
      let symbol = Symbol(
        name: declaration.isStatic ? "static \(name)" : name, purpose: purpose)
      if members[declaration.owner]?.contains(symbol) != true {
        members[declaration.owner, default: []].append(symbol)
      }
    }
  }

  private static func isLeftOut(_ name: String) -> Bool {
    let base = name.prefix { $0 != "(" }
    return ["description", "hash", "receive", "Input", "Output", "Failure"].contains(base)
      || base.contains { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "`") }
  }
}
