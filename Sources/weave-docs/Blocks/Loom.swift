/// Makes the content of a block from the files of the package.
struct Loom {
  let tree: any FileTree
  let catalogue: ScenarioCatalogue
  /// The course; `nil` if its list can't be read, which is reported elsewhere.
  let course: Course?

  /// The lines between a block's markers, without the block's indentation.
  func lines(of block: Page.Block) throws(Problem) -> [String] {
    let location = block.location
    switch try Directive(block.directive, at: location) {
    case .code(let excerpt, let summary):
      return Self.folded(try code(excerpt, at: location), summary: summary)
    case .snapshot(let excerpt, let summary):
      return Self.folded(try snapshot(excerpt, at: location), summary: summary)
    case .diff(let old, let new, let summary):
      return Self.folded(try diff(old, new, at: location), summary: summary)
    case .scenarios: return scenarioTable(at: location)
    case .symbols(let module): return try symbols(of: module, at: location)
    case .navigation: return try navigation(at: location)
    case .sources(let name): return try sources(of: name, at: location)
    }
  }

  /// The lines of a file that a directive names.
  func file(_ path: String, for location: Location) throws(Problem) -> [String] {
    guard RelativePath.resolve(path) == path else {
      throw location.problem("\(path) isn't a plain path from the package root")
    }
    return try tree.lines(of: path, for: location)
  }

  /// A link in the page at a location.
  static func link(_ title: String, to path: String, at location: Location) -> String {
    "[\(title)](\(RelativePath.link(from: location.path, to: path)))"
  }

  /// Folds lines below a summary, so that a reader has to click to see them.
  private static func folded(_ lines: [String], summary: String?) -> [String] {
    guard let summary else { return lines }
    return ["<details>", "<summary>\(summary)</summary>", ""] + lines + ["", "</details>"]
  }
}
