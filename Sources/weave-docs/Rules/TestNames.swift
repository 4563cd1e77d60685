import Foundation

/// The rule that a test which a page names, such as `SinkTests.aValueArrives`, exists.
///
/// Pages name the test that holds a claim. A test that was renamed or removed would leave the claim
/// without its proof.
struct TestNames {
  /// The tests of each suite, by the suite's name.
  private let suites: [String: Set<String>]

  init(_ tree: any FileTree) {
    let paths = ["Tests", "Scenarios"].flatMap { tree.files(below: $0, suffix: "Tests.swift") }
    var suites: [String: Set<String>] = [:]
    for path in paths {
      let text = (try? tree.text(of: path)) ?? ""
      let tests = Set(text.matches(of: /func (\w+)\(/).map { String($0.1) })
      for match in text.matches(of: /(?:struct|class|enum|extension) (\w+Tests)\b/) {
        suites[String(match.1), default: []].formUnion(tests)
      }
    }
    self.suites = suites
  }

  func problems(in pages: [WovenPage]) -> [Problem] {
    pages.flatMap { page in
      page.lines.flatMap { line in
        line.text.matches(of: /`([A-Z]\w*Tests)(?:\.([a-z]\w*))?`/).compactMap { match in
          complaint(aboutSuite: String(match.1), test: match.2.map(String.init)).map {
            Location(path: page.path, line: line.origin).problem($0)
          }
        }
      }
    }
  }

  private func complaint(aboutSuite suite: String, test: String?) -> String? {
    // Without a test's name it may be a module, such as `StreamsTests`.
    guard let tests = suites[suite] else {
      return test.map { "there is no test \(suite).\($0), because there is no suite \(suite)" }
    }
    // `SinkTests.swift` is a file.
    guard let test, test != "swift", !tests.contains(test) else { return nil }
    return "there is no test \(suite).\(test): name one that exists"
  }
}
