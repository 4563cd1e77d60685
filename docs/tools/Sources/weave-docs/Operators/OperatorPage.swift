/// A page in `docs/operators`, with what its own lines say.
struct OperatorPage {
  static let folder = "docs/operators"
  static let index = "\(folder)/README.md"
  static let tests = "Tests/OperatorPagesTests"

  let path: String
  /// The names in its heading, such as `filter` and `tryFilter`.
  let titles: [String]
  /// The sentences below "Use it to:", which the index lists.
  let purposes: [String]
  /// The operators that the heading names.
  let entries: [OperatorCatalogue.Entry]
  /// Its examples. There should be one.
  let examples: [String]

  /// The name of its file, and of its snapshots' folder: `remove-duplicates`.
  var name: String { String(RelativePath.name(of: path).dropLast(".md".count)) }

  var snapshots: String { "\(Self.tests)/Snapshots/\(name)" }

  /// The group of its pictures.
  var pictures: String { "operators/\(name)" }

  /// The folder of its example.
  var family: OperatorFamily? {
    let folder = RelativePath.name(of: RelativePath.folder(of: examples.first ?? ""))
    return OperatorFamily.all.first { $0.name == folder }
  }

  init(path: String, lines: [String], catalogue: OperatorCatalogue, examples: [String]) {
    self.path = path
    let heading = lines.first.flatMap { $0.hasPrefix("# ") ? $0.dropFirst(2) : nil } ?? ""
    let titles = heading.split(separator: ",").map { $0.trimmed }
    self.titles = titles
    entries = catalogue.entries.filter { entry in titles.contains { entry.matches($0) } }
    purposes = Self.items(below: "Use it to:", in: lines)
    let name = RelativePath.name(of: path).dropLast(".md".count)
    self.examples = examples.filter { Self.page(ofExample: $0) == name }
  }

  /// The file name that a title or the name of a type asks for: `receive-on` for `receive(on:)`.
  static func slug(of title: String) -> String {
    title.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)-\($0.2)" }
      .replacing(/([A-Z])([A-Z][a-z])/) { "\($0.1)-\($0.2)" }
      .lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  /// The name of an example's page: `debounce` for `DebounceExample.swift`.
  static func page(ofExample path: String) -> String {
    slug(of: String(RelativePath.name(of: path).dropLast("Example.swift".count)))
  }

  /// The items of the list below a line, in front of the first section. An item may go on in the
  /// next line.
  static func items(below title: String, in lines: [String]) -> [String] {
    let opening = lines.prefix { !$0.hasPrefix("## ") }
    let list = opening.drop { $0 != title }.dropFirst().drop(while: \.isEmpty)
    var items: [String] = []
    for line in list.prefix(while: { !$0.isEmpty }) {
      if line.hasPrefix("- ") {
        items.append(String(line.dropFirst(2)))
      } else if !items.isEmpty {
        items[items.count - 1] += " " + line.trimmed
      }
    }
    return items
  }
}
