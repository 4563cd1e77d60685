/// The public symbols that Combine doesn't have, each with a reason.
struct Additions {
  struct Line {
    let number: Int
    let module: String
    /// A path. It stands for the members of the type too.
    let symbol: String
  }

  static let columns = ["module", "symbol", "reason"]

  let file: String
  private(set) var lines: [Line] = []
  private(set) var problems: [Problem] = []

  /// Whether the first line is as it has to be. If not, the lines can't be told from the columns.
  private(set) var isReadable = false

  init(_ text: String, file: String) {
    self.file = file
    let all = APITable.lines(of: text)
    guard all.first?.text == Self.columns.joined(separator: "\t") else {
      report(1, "the first line has to name the columns: \(Self.columns.joined(separator: ", "))")
      return
    }
    isReadable = true
    for (number, line) in all.dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if fields.count != 3 || !fields[2].hasSuffix(".") {
        report(number, "a line has a module, a symbol and a sentence, with tabs between them")
      }
      // Without a reason, a line still says which symbol it's about.
      guard fields.count > 1 else { continue }
      lines.append(Line(number: number, module: fields[0], symbol: fields[1]))
    }
  }

  private mutating func report(_ line: Int, _ message: String) {
    problems.append(Problem(file: file, line: line, message: message))
  }
}

extension Additions.Line {
  func covers(_ entry: Library.Entry) -> Bool {
    entry.module == module && (entry.path == symbol || entry.path.hasPrefix(symbol + "."))
  }
}
