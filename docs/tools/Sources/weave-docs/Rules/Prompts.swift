/// The check for text that is still to be written: the prompts of the template of `make new`.
///
/// `make docs` leaves them alone, because it's part of writing a page. `make docs-check` lists
/// them, so that no page lands with the template's text.
enum Prompts {
  static func problems(in pages: [WovenPage], tree: any FileTree) -> [Problem] {
    let isChecked = { (path: String) in path == Course.page || Pictures.group(of: path) != nil }
    let prose = pages.filter { isChecked($0.path) }.flatMap { page in
      page.lines.compactMap { problem($0.text, after: "<!-- ", at: page.path, $0.origin) }
    }
    let sources = tree.files(below: "Scenarios", suffix: ".swift").flatMap { path in
      tree.lines(of: path).enumerated().filter { $1.trimmed.hasPrefix("//") }
        .compactMap { problem($1, after: "// ", at: path, $0 + 1) }
    }
    return prose + sources
  }

  private static func problem(
    _ text: String, after mark: String, at path: String, _ line: Int
  ) -> Problem? {
    text.firstRange(of: mark + "write: ").map { range in
      let prompt = text[range.upperBound...].split(separator: " -->", maxSplits: 1).first ?? ""
      return Location(path: path, line: line).problem("still to write: \(prompt)")
    }
  }
}
