extension Loom {
  /// A region of a source file, with its numbered notes below.
  func code(_ excerpt: Directive.Excerpt, at location: Location) throws(Problem) -> [String] {
    let source = try file(excerpt.path, for: location)
    let regions = try SourceRegions(path: excerpt.path, lines: source)
    let lines = try regions.lines(of: excerpt.part, for: location)
    guard let notes = NumberedNotes(lines) else {
      throw location.problem(
        "a note in \(excerpt.path) has no code after it: put it above the line it explains")
    }
    return Fence.block(notes.code, language: Self.language(of: excerpt.path)) + notes.list
  }

  private static func language(of path: String) -> String {
    let name = RelativePath.name(of: path)
    if name == "Makefile" { return "make" }
    return switch name.split(separator: ".").last {
    case "swift": "swift"
    case "sh": "sh"
    case "json": "json"
    default: "text"
    }
  }
}
