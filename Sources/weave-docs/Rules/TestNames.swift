import Foundation

/// The rule that a test which a page names, such as `SinkTests.aValueArrives`, exists.
///
/// Pages name the test that holds a claim. A test that was renamed or removed would leave the claim
/// without its proof.
struct TestNames {
  private struct Suite {
    /// The files that declare a suite of this name.
    var files: [String] = []
    var tests: Set<String> = []
  }

  private var suites: [String: Suite] = [:]

  /// The folders of tests, which are modules such as `StreamsTests`.
  private let modules: Set<String>

  init(_ tree: any FileTree) {
    let paths = ["Scenarios", "Tests"].flatMap { tree.files(below: $0, suffix: "Tests.swift") }
    modules = Set(paths.flatMap { $0.split(separator: "/").dropLast().map(String.init) })
    // A link leads to a file that's read itself.
    for path in paths where tree.target(ofLink: path) == nil {
      let file = TestSuites((try? tree.text(of: path)) ?? "")
      for (name, tests) in file.tests { suites[name, default: Suite()].tests.formUnion(tests) }
      for name in file.declared { suites[name, default: Suite()].files.append(path) }
    }
  }

  func problems(in pages: [WovenPage]) -> [Problem] {
    pages.flatMap { page in
      // Few lines name a test, and a regex for each line would take seconds.
      page.lines.filter { $0.text.contains("Tests") }.flatMap { line in
        let plain = line.text.matches(of: /`([A-Z]\w*Tests)(?:\.([a-z]\w*))?`/)
          .compactMap { complaint(aboutSuite: String($0.1), test: $0.2.map(String.init)) }
        let quoted = line.text.matches(of: /`` ([A-Z]\w*Tests)\.(`[^`]+`) ``/)
          .compactMap { complaint(aboutSuite: String($0.1), test: String($0.2)) }
        return (plain + quoted).map { Location(path: page.path, line: line.origin).problem($0) }
      }
    }
  }

  private func complaint(aboutSuite name: String, test: String?) -> String? {
    // `SinkTests.swift` is a file.
    let test = test == "swift" ? nil : test
    if test == nil, modules.contains(name) { return nil }
    guard let suite = suites[name] else {
      return "the suite \(name) doesn't exist: name an existing one"
    }
    if let test, !suite.tests.contains(test) {
      return "the test \(name).\(test) doesn't exist: name an existing one"
    }
    guard suite.files.count > 1 else { return nil }
    return "\(name) could be the suite in \(suite.files.joined(separator: " or in ")): rename one"
  }
}
