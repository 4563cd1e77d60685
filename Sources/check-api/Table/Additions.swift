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

  init(_ text: String, file: String) {
    self.file = file
    for (number, line) in APITable.lines(of: text) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if number == 1, fields == Self.columns { continue }
      guard number > 1, fields.count == 3, fields[2].hasSuffix(".") else {
        problems.append(
          Problem(
            file: file, line: number,
            message: number == 1
              ? "the first line has to name the columns: \(Self.columns.joined(separator: ", "))"
              : "a line has a module, a symbol and a sentence, with tabs between them"))
        continue
      }
      lines.append(Line(number: number, module: fields[0], symbol: fields[1]))
    }
  }
}

extension Additions.Line {
  func covers(_ entry: Library.Entry) -> Bool {
    entry.module == module && (entry.path == symbol || entry.path.hasPrefix(symbol + "."))
  }
}
