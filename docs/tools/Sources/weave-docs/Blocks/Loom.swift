/// Makes the content of a block from the files of the package.
struct Loom {
  let tree: any FileTree
  let catalogue: ScenarioCatalogue
  /// The course; `nil` if its list can't be read, which is reported elsewhere.
  let course: Course?
  let sources: SourceFiles
  let pictures: Pictures
  let operators: Operators
  let recipes: Recipes
  let uses: OperatorUses

  /// The lines of a block with its opening, without the block's indentation.
  func lines(of block: Page.Block) throws(Problem) -> [String] {
    let location = block.location
    switch block.request {
    case .excerpt(let info):
      switch try Directive(info, at: location) {
      case .code(let excerpt, let language):
        let notes = try code(excerpt, language: language, at: location)
        return Fence.block(notes.code, info: info) + notes.list
      case .snapshot(let excerpt):
        return Fence.block(try snapshot(excerpt, at: location), info: info)
      case .diff(let old, let new):
        return Fence.block(try diff(old, new, at: location), info: info)
      }
    case .list(let text): return ["<!-- \(text) -->"] + (try list(text, at: location))
    case .picture(let source): return try picture(source, at: location)
    }
  }

  private func list(_ text: String, at location: Location) throws(Problem) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    return switch (words[0], words.count) {
    case ("scenarios", 1): scenarioTable(at: location)
    case ("navigation", 1): try navigation(at: location)
    case ("purposes", 1): purposes(at: location)
    case ("recipes", 1): recipes(at: location)
    case ("sources", 1): try sources(of: nil, at: location)
    case ("sources", 2): try sources(of: words[1], at: location)
    default:
      throw location.problem(
        "can't read '<!-- \(text) -->': expected one of "
          + PageParser.lists.map { "<!-- \($0) -->" }.joined(separator: ", "))
    }
  }

  /// The path and the lines of a file that a block names.
  func file(
    _ name: String, for location: Location
  ) throws(Problem) -> (path: String, lines: [String]) {
    let path = try sources.path(of: name, for: location)
    return (path, try tree.lines(of: path, for: location))
  }

  /// A link in the page at a location.
  static func link(_ title: String, to path: String, at location: Location) -> String {
    "[\(title)](\(RelativePath.link(from: location.path, to: path)))"
  }
}
