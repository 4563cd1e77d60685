/// The names that a declaration sees: what turns `Stride` into `RunLoop.SchedulerTimeType.Stride`.
struct TypeScope {
  /// The types, type aliases and generic parameters of a library.
  struct Names {
    /// The generic parameters of a type, or the associated types of a protocol, by its path.
    var generics: [String: [String]] = [
      "Optional": ["Wrapped"], "Result": ["Success", "Failure"], "Sequence": ["Element"],
    ]
    /// The declaration of each type alias, by its path.
    var aliases: [String: String] = [:]
    /// The constraints of the parameters of a type.
    var contexts: [String: Constraints] = [:]
    var protocols: Set<String> = ["Sequence"]

    init() {
      var result = Constraints()
      result.conform("Failure", to: "Error")
      contexts["Result"] = result
    }
  }

  private static let modules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "Dispatch", "Streams",
    "StreamsFoundation", "_Concurrency",
  ]
  private static let synonyms = ["TimeInterval": "Double", "CountableRange": "Range"]

  let names: Names
  /// The path of the type that the declaration stands in.
  let owner: [String]
  /// The generic parameters of the declaration, and the names that stand for them.
  var renamed: [String: String] = [:]

  init(_ names: Names, owner: [String]) {
    self.names = names
    self.owner = owner
  }

  /// The constraints that hold for all members of the owner.
  var context: Constraints { names.contexts[owner.joined(separator: ".")] ?? Constraints() }

  /// The full name of a type.
  func resolve(_ components: [(name: String, arguments: [String])]) -> String {
    var components = components[...]
    while components.count > 1, let first = components.first, Self.modules.contains(first.name),
      names.generics[first.name] == nil
    {
      components.removeFirst()
    }
    guard let first = components.first else { return "" }
    if let number = renamed[first.name] {
      return join([number], components.dropFirst())
    }
    if first.name == "Self", let end = owner.indices.last {
      if !names.protocols.contains(owner.joined(separator: ".")) {
        return join(Array(owner[...end]), components.dropFirst())
      }
      return components.count == 1 ? "Self" : resolve(Array(components.dropFirst()))
    }
    if first.arguments.isEmpty {
      for depth in stride(from: owner.count, through: 0, by: -1) {
        let level = Array(owner.prefix(depth))
        if names.generics[level.joined(separator: ".")]?.contains(first.name) == true {
          return join([first.name], components.dropFirst())
        }
        let path = (level + [first.name]).joined(separator: ".")
        if names.aliases[path] != nil || (depth > 0 && names.generics[path] != nil) {
          return join(level + [first.name], components.dropFirst())
        }
      }
    } else {
      for depth in stride(from: owner.count, through: 1, by: -1) {
        let level = Array(owner.prefix(depth))
        if names.generics[(level + [first.name]).joined(separator: ".")] != nil {
          return join(level, components)
        }
      }
    }
    return join([], components)
  }

  private func join(
    _ start: [String], _ rest: ArraySlice<(name: String, arguments: [String])>
  ) -> String {
    var path = start
    var text = start.joined(separator: ".")
    if rest.isEmpty { return alias(of: path.joined(separator: "."), text) }
    for component in rest {
      path.append(component.name)
      text += (text.isEmpty ? "" : ".") + (Self.synonyms[component.name] ?? component.name)
      // `Just<Output>` and `Just` are the same inside of `Just`.
      let isOwn =
        owner.starts(with: path)
        && component.arguments == names.generics[path.joined(separator: ".")]
      if !component.arguments.isEmpty, !isOwn {
        text += "<" + component.arguments.joined(separator: ", ") + ">"
      }
      text = alias(of: text, text)
    }
    switch path {
    case ["Optional"] where rest.first?.arguments.count == 1 && text.hasPrefix("Optional<"):
      return (rest.first?.arguments[0] ?? "") + "?"
    case ["Array"] where rest.first?.arguments.count == 1:
      return "[" + (rest.first?.arguments[0] ?? "") + "]"
    default: return text
    }
  }

  private func alias(of path: String, _ text: String) -> String {
    guard let declaration = names.aliases[path] else { return text }
    let outer = path.split(separator: ".").dropLast().map(String.init)
    // An alias is only replaced where its generic parameters mean the same.
    let isVisible = owner.starts(with: outer) || names.generics[outer.joined(separator: ".")] == []
    guard isVisible else { return text }
    return (try? DeclarationParser.declaration(declaration, in: TypeScope(names, owner: outer)))?
      .type ?? text
  }
}
