/// The public operators, publishers and subjects. Each of them has its page in `docs/operators`.
///
/// An operator is a public method or property of `Publisher` or `ConnectablePublisher`. Publishers
/// and subjects are the public types in their folders. Members such as `Sequence.publisher` belong
/// to them too.
struct OperatorCatalogue {
  struct Entry: Hashable {
    /// The name with its labels, such as `filter(_:)`. A publisher that isn't a type of its own has
    /// its owner in front, as in `Sequence.publisher`.
    let name: String
    /// Where it's declared first.
    let location: Location
    /// The files with further overloads of the same labels.
    var otherPaths: [String] = []

    /// The name without labels.
    var base: String { String(name.prefix { $0 != "(" }) }

    /// Whether a name in the heading of a page means this: `filter`, `receive(on:)` or
    /// `@Published`.
    func matches(_ title: String) -> Bool {
      let title = title.hasPrefix("@") ? String(title.dropFirst()) : title
      guard title.hasSuffix(")") else { return title == base }
      return name.hasPrefix(title.dropLast())
    }
  }

  /// In the order of their files, without repeats.
  let entries: [Entry]

  private static let modules = ["Streams", "StreamsFoundation", "StreamsExtras"]
  private static let folders = ["Sources/Streams/Publishers", "Sources/Streams/Subjects"]
  /// Types in these folders that no stream starts with.
  private static let parts = ["Publishers", "Subject"]

  init(_ tree: any FileTree) {
    var entries: [Entry] = []
    for module in Self.modules {
      for path in tree.files(below: "Sources/\(module)", suffix: ".swift") {
        let declarations = SwiftDeclarations(tree.lines(of: path))
        for declaration in declarations.all where declaration.isPublic {
          guard let name = Self.name(of: declaration, in: path) else { continue }
          if let index = entries.firstIndex(where: { $0.name == name }) {
            entries[index].otherPaths.append(path)
          } else {
            entries.append(
              Entry(name: name, location: Location(path: path, line: declaration.line)))
          }
        }
      }
    }
    self.entries = entries
  }

  /// The name of its entry; `nil` if it doesn't need a page.
  private static func name(of declaration: SwiftDeclaration, in path: String) -> String? {
    let name = declaration.name.filter { $0 != "`" }
    if declaration.isType {
      let isInFolder = folders.contains { RelativePath.folder(of: path) == $0 }
      guard declaration.owner.isEmpty, isInFolder || name == "Published" else { return nil }
      return parts.contains(name) ? nil : name
    }
    let base = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    switch declaration.owner {
    case "Publisher", "ConnectablePublisher":
      // The compiler reads names with an underscore, and users never do.
      guard base.first?.isLowercase == true else { return nil }
      return "\(base)\(name.drop { $0 != "(" })"
    case let owner:
      let isPublisher =
        base == "publish" || base == "publisher"
        || base.hasSuffix("Publisher") && name.contains("(")
      let isExtended = !owner.isEmpty && !owner.contains(".")
      return isPublisher && isExtended && base.first?.isLowercase == true
        ? "\(owner).\(base)" : nil
    }
  }
}
