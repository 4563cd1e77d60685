extension Loom {
  /// A region of a source file, with its numbered notes.
  func code(
    _ excerpt: Directive.Excerpt, language: String, at location: Location
  ) throws(Problem) -> NumberedNotes {
    let (path, source) = try file(excerpt.path, for: location)
    let expected = Self.language(of: path)
    guard language == expected else {
      throw location.problem(
        "the language of \(excerpt.path) is \(expected), not \(language): write ```\(expected)")
    }
    let regions = try SourceRegions(path: path, lines: source)
    var lines = try regions.lines(of: excerpt.part, for: location)
    if operators.page(at: location.path) != nil || recipes.page(at: location.path) != nil {
      // Examples may add a lane in the middle of a line.
      lines = lines.map { $0.replacing(/\.lane\("[^"]*"\)/, with: "") }
    }
    guard let notes = NumberedNotes(lines) else {
      throw location.problem(
        "a note in \(path) has no code after it: put it above the line it explains")
    }
    return notes
  }

  private static func language(of path: String) -> String {
    if path.hasSuffix("Makefile") { return "make" }
    let ending = path.split(separator: ".").last.map(String.init) ?? ""
    return ["swift", "sh", "json"].contains(ending) ? ending : "text"
  }
}
