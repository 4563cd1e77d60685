/// A page in `docs/recipes`, with what its own lines say.
///
/// Its code is `Tests/Recipes/Sources/Recipes/SECTION/NAME.swift`, and its runs are the tests in
/// `NAMETests.swift`.
struct Recipe {
  static let folder = "docs/recipes"
  static let index = "\(folder)/README.md"
  static let package = "Tests/Recipes"

  let path: String
  /// Its heading.
  let title: String
  /// The sentences below "You need it if:", which the index lists.
  let signs: [String]
  /// Its code. There should be one file.
  let sources: [String]
  /// Its tests. There should be one file.
  let tests: [String]
  /// The regions that its code blocks show.
  let regions: [String]

  /// The name of its file, and of its snapshots' folder: `retry-with-back-off`.
  var name: String { Self.name(ofPage: path) }

  static let snapshots = "\(package)/Tests/RecipesTests/Snapshots"

  var snapshots: String { "\(Self.snapshots)/\(name)" }

  /// The group of its pictures.
  var pictures: String { "recipes/\(name)" }

  /// The folder of its code.
  var section: Section? {
    let folder = RelativePath.name(of: RelativePath.folder(of: sources.first ?? ""))
    return Section.all.first { $0.folder == folder }
  }

  init(path: String, lines: [String], sources: [String], tests: [String]) {
    self.path = path
    title = lines.first.flatMap { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : nil } ?? ""
    signs = OperatorPage.items(below: "You need it if:", in: lines)
    let name = Self.name(ofPage: path)
    regions = lines.filter { $0.hasPrefix("```swift ") }.compactMap {
      $0.split(separator: "#").dropFirst().last.map(String.init)
    }
    self.sources = sources.filter { Self.name(ofSource: $0) == name }
    self.tests = tests.filter { Self.name(ofTest: $0) == name }
  }

  static func name(ofPage path: String) -> String {
    String(RelativePath.name(of: path).dropLast(".md".count))
  }

  /// `retry-with-back-off` for `RetryWithBackOff.swift`.
  static func name(ofSource path: String) -> String {
    OperatorPage.slug(of: String(RelativePath.name(of: path).dropLast(".swift".count)))
  }

  static func name(ofTest path: String) -> String {
    OperatorPage.slug(of: String(RelativePath.name(of: path).dropLast("Tests.swift".count)))
  }
}

extension Recipe {
  /// A folder of code, and a section of the index.
  struct Section: Equatable {
    let folder: String
    let title: String

    static let all = [
      ("Requests", "Requests"), ("Loading", "Load, keep and refresh"),
      ("Input", "What a user does"), ("Bridges", "Bridges to other code"),
      ("Operators", "Operators that Combine doesn't have"),
      ("OwnTypes", "Publishers and subscribers of your own"),
    ].map(Section.init)
  }
}
