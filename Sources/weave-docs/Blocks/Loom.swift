/// Makes the content of a block from the files of the package.
struct Loom {
  let tree: any FileTree
  let catalogue: ScenarioCatalogue
  /// The course; `nil` if its list can't be read, which is reported elsewhere.
  let course: Course?
  let sources: SourceFiles
  let pictures: Pictures
  let operators: Operators

  /// The lines of a block with its opening, without the block's indentation.
  func lines(of block: Page.Block) throws(Problem) -> [String] {
    let location = block.location
    let directive = try Directive(block.request, at: location)
    switch block.request {
    case .excerpt(let info): return try excerpt(directive, info: info, at: location)
    case .list(let text):
      return ["<!-- \(text) -->"] + (try list(directive, at: location))
    case .picture: return try picture(directive, at: location)
    }
  }

  private func excerpt(
    _ directive: Directive, info: String, at location: Location
  ) throws(Problem) -> [String] {
    switch directive {
    case .code(let excerpt, let language):
      let notes = try code(excerpt, language: language, at: location)
      return Fence.block(notes.code, info: info) + notes.list
    case .snapshot(let excerpt):
      return Fence.block(try snapshot(excerpt, at: location), info: info)
    case .diff(let old, let new):
      return Fence.block(try diff(old, new, at: location), info: info)
    default: return []
    }
  }

  private func list(_ directive: Directive, at location: Location) throws(Problem) -> [String] {
    switch directive {
    case .scenarios: scenarioTable(at: location)
    case .symbols(let module): try symbols(of: module, at: location)
    case .navigation: try navigation(at: location)
    case .purposes: purposes(at: location)
    case .families: families(at: location)
    case .sources(let name): try sources(of: name, at: location)
    default: []
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
