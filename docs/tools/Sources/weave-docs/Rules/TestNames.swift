/// The rule that a test which a page names, such as `SinkTests.aValueArrives`, exists.
///
/// Pages name the test that holds a claim. A test that was renamed or removed would leave the claim
/// without its proof.
struct TestNames {
  private let tree: any FileTree
  private let paths: [String]
  /// The folders of tests, which are modules such as `StreamsTests`.
  private let modules: Set<String>
  private var sources: [String: [String]] = [:]

  static func problems(in pages: [WovenPage], tree: any FileTree) -> [Problem] {
    var rule = TestNames(tree)
    var problems: [Problem] = []
    // Few lines name a test, and a regex for each line would take seconds.
    for page in pages {
      for line in page.lines where line.text.contains("Tests") {
        for match in line.text.matches(of: /` ?([A-Z]\w*Tests)(?:\.([a-z]\w*|`[^`]+`))?[ `]/) {
          let complaint = rule.complaint(about: String(match.1), test: match.2.map(String.init))
          let location = Location(path: page.path, line: line.origin)
          if let complaint { problems.append(location.problem(complaint)) }
        }
      }
    }
    return problems
  }

  private init(_ tree: any FileTree) {
    self.tree = tree
    paths = ["Scenarios", "Tests", "docs/tools"].flatMap { tree.files(below: $0, suffix: ".swift") }
    modules = Set(paths.flatMap { $0.split(separator: "/").dropLast().map(String.init) })
  }

  private mutating func complaint(about suite: String, test: String?) -> String? {
    // `SinkTests.swift` is a file.
    let test = test == "swift" ? nil : test
    if test == nil, modules.contains(suite) { return nil }
    let sources = sources(of: suite)
    if sources.isEmpty { return "the suite \(suite) doesn't exist: name an existing one" }
    guard let test, !sources.contains(where: { $0.contains("func \(test)(") }) else { return nil }
    return "the test \(suite).\(test) doesn't exist: name an existing one"
  }

  /// The texts of the files named after a suite, such as `SinkTests.swift` and
  /// `SinkTests+Threads.swift`, or of another one that declares it.
  private mutating func sources(of suite: String) -> [String] {
    if let sources = sources[suite] { return sources }
    let files = paths.filter {
      $0.hasSuffix("/\(suite).swift") || $0.contains("/\(suite)+")
    }
    let texts = (files.isEmpty ? paths : files).compactMap { tree.text(of: $0) }
    sources[suite] = files.isEmpty ? texts.filter { $0.contains("struct \(suite) ") } : texts
    return sources[suite] ?? []
  }
}
