/// The types of a test file, and the tests in each.
///
/// The indentation shows which type a test belongs to, because `make lint` holds the layout.
struct TestSuites {
  /// The types that the file declares. The others are only extended there.
  private(set) var declared: Set<String> = []

  /// The names of the tests, by the type that holds them.
  private(set) var tests: [String: Set<String>] = [:]

  /// The types around the current line.
  private var scopes: [(name: String, indentation: Int)] = []

  /// Whether a `@Test` waits for its function.
  private var isTest = false

  // Before the name of a type or a function, a line has attributes and modifiers only. Making a
  // regex takes longer than matching it.
  private let type =
    /(?:(?:@\w+(?:\(.*\))?|[a-z]+) +)*(struct|class|enum|actor|extension) +([A-Z]\w*)/
  private let function = /(?:(?:@\w+(?:\(.*\))?|[a-z]+) +)*func +(`[^`]+`|\w+)/

  private static let quotes = "\"\"\""
  private static let words = ["@Test", "struct ", "class ", "enum ", "actor ", "extension "]

  init(_ source: String) {
    var isInString = false
    for line in source.lines {
      // Few lines have a type or a test, and a regex for each line would take seconds.
      if !isInString, isTest || Self.words.contains(where: line.contains) { read(line) }
      if line.contains(Self.quotes),
        line.split(separator: Self.quotes, omittingEmptySubsequences: false).count % 2 == 0
      {
        isInString.toggle()
      }
    }
  }

  private mutating func read(_ line: String) {
    let code = Substring(line.utf8.drop { $0 == Byte.space })
    let indentation = line.utf8.count - code.utf8.count
    if code.hasPrefix("@Test") { isTest = true }
    if let match = code.prefixMatch(of: type) {
      let name = String(match.2)
      close(at: indentation)
      scopes.append((name, indentation))
      tests[name, default: []].formUnion([])
      if match.1 != "extension" { declared.insert(name) }
    } else if isTest, let match = code.prefixMatch(of: function) {
      isTest = false
      close(at: indentation)
      if let suite = scopes.last?.name { tests[suite]?.insert(String(match.1)) }
    }
  }

  private mutating func close(at indentation: Int) {
    scopes.removeAll { $0.indentation >= indentation }
  }
}
