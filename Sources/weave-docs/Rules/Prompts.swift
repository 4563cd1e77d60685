/// The check for text that is still to be written: the prompts of the template of `make new`.
///
/// `make docs` leaves them alone, because it's part of writing a page. `make docs-check` lists
/// them, so that no page lands with the template's text.
enum Prompts {
  /// Few lines have it, and a regex for each line would take seconds.
  private static let mark = "write: "

  static func problems(in pages: [WovenPage], tree: any FileTree) -> [Problem] {
    let lines = pages.filter { $0.path == Course.page || Pictures.group(of: $0.path) != nil }
      .flatMap { page in
        page.lines.map { (Location(path: page.path, line: $0.origin), $0.text) }
      }
    let prompts = lines.filter { $0.1.contains(mark) }.compactMap { location, line in
      line.firstMatch(of: /<!-- write: (.*) -->/).map { location.problem(message(String($0.1))) }
    }
    return prompts + sources(of: tree)
  }

  private static func sources(of tree: any FileTree) -> [Problem] {
    tree.files(below: "Scenarios", suffix: ".swift").flatMap { path in
      ((try? tree.text(of: path)) ?? "").lines.enumerated().filter { $1.contains(mark) }.compactMap
      {
        index, line in
        line.wholeMatch(of: /\s*\/\/ write: (.*)/).map {
          Location(path: path, line: index + 1).problem(message(String($0.1)))
        }
      }
    }
  }

  private static func message(_ prompt: String) -> String { "still to write: \(prompt)" }
}
