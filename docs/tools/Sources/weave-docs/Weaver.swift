/// Weaves all pages of a package: README.md, the other pages in the root, and those below `docs`.
/// Their pictures belong to them.
///
/// It only computes. The pages are written afterwards, and only if there are no problems.
struct Weaver {
  private(set) var pages: [WovenPage] = []
  private(set) var pictures: Pictures
  let operators: Operators
  let recipes: Recipes
  /// The problems, in the order of files and lines.
  private(set) var problems: [Problem] = []

  init(_ tree: any FileTree) {
    let catalogue = ScenarioCatalogue(tree, problems: &problems)
    let course = problems.collect { () throws(Problem) in try Course(tree) }
    problems += Completeness.problems(tree, catalogue: catalogue, course: course)
    operators = Operators(tree)
    recipes = Recipes(tree)
    pictures = Pictures(
      tree, catalogue: catalogue, operators: operators, recipes: recipes, problems: &problems)
    let loom = Loom(
      tree: tree, catalogue: catalogue, course: course,
      sources: SourceFiles(tree, catalogue: catalogue, operators: operators, recipes: recipes),
      pictures: pictures, operators: operators, recipes: recipes,
      uses: OperatorUses(tree, catalogue: catalogue, operators: operators))
    let paths =
      tree.names(in: "").filter { $0.hasSuffix(".md") && tree.kind(of: $0) == .file }
      + tree.files(below: "docs", suffix: ".md")
    for path in paths { weave(path, with: loom) }
    pictures.keepTimes(shownIn: pages)
    problems += LinkCheck.problems(in: pages, tree: tree, pictures: pictures.files)
    problems += TestNames.problems(in: pages, tree: tree)
    problems += Spoilers.problems(in: pages)
    problems += Misconceptions.problems(in: pages)
    problems += PartOrder.problems(in: pages, tree: tree, catalogue: catalogue)
    problems += Terms.problems(in: pages)
    problems += OperatorPages.problems(in: operators)
    problems += recipes.problems
    // Each block that reads a file reports the same misplaced marker.
    problems = Set(problems).sorted()
  }

  private mutating func weave(_ path: String, with loom: Loom) {
    let start = Location(path: path, line: 1)
    let lines = problems.collect { () throws(Problem) in
      try loom.tree.lines(of: path, for: start)
    }
    guard var lines else { return }
    if path == Course.page { lines = Course.completed(lines, in: loom.tree) }
    let (page, parserProblems) = PageParser.parse(lines, path: path)
    problems += parserProblems
    var woven: [WovenLine] = []
    for piece in page.pieces {
      switch piece {
      case .prose(let lines, let firstLine):
        woven += lines.enumerated().map { WovenLine(text: $1, origin: firstLine + $0) }
      case .block(let block):
        woven += self.lines(of: block, with: loom)
      }
    }
    let oldText = loom.tree.text(of: path) ?? ""
    pages.append(WovenPage(path: path, oldText: oldText, lines: woven))
  }

  /// The lines of a block. One that fails keeps its present lines, so that links into it cause no
  /// further problems.
  private mutating func lines(of block: Page.Block, with loom: Loom) -> [WovenLine] {
    let woven = problems.collect { () throws(Problem) in try loom.lines(of: block) }
    let lines = woven?.map { $0.isEmpty ? $0 : block.indentation + $0 }
    return (lines ?? block.lines).map { WovenLine(text: $0, origin: block.location.line) }
  }
}
