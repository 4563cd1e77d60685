/// The order of the pages: the links in the list below `<!-- course -->` in `docs/README.md`, which
/// is written by hand. The list may have sections.
struct Course {
  static let page = "docs/README.md"
  private static let opening = "<!-- course -->"

  struct Entry: Equatable {
    let title: String
    let path: String
    let line: Int
  }

  let entries: [Entry]
  /// Where the list opens.
  let location: Location

  /// The pages before and after a page; `nil` if the page is not in the course.
  func neighbours(of path: String) -> (previous: Entry?, next: Entry?)? {
    guard let index = entries.firstIndex(where: { $0.path == path }) else { return nil }
    return (
      index > 0 ? entries[index - 1] : nil,
      index + 1 < entries.count ? entries[index + 1] : nil
    )
  }

  /// The lines of the page, with the items of the list counted from 1, so authors can move them.
  /// Each item says how many minutes its page takes, and which ones to read before it.
  static func completed(_ lines: [String], in tree: any FileTree) -> [String] {
    guard let opening = lines.firstIndex(of: opening) else { return lines }
    var lines = lines
    let items = ((opening + 1)..<end(of: lines[(opening + 1)...])).compactMap { index in
      lines[index].wholeMatch(of: /\d+\. (.*?)(?: _\(.*\)_)?/).map { (index, String($0.1)) }
    }
    let pages = items.map { _, item in
      item.firstMatch(of: /\]\(([^)#]+\.md)/).flatMap {
        RelativePath.resolve(String($0.1), in: RelativePath.folder(of: page))
      }.flatMap { tree.text(of: $0) }?.lines
    }
    // An exercise that several pages list is done at the last of them.
    var last: [String: Int] = [:]
    for (place, page) in pages.enumerated() {
      for exercise in page.map(Effort.exercises) ?? [] { last[exercise] = place }
    }
    for (place, (index, item)) in items.enumerated() {
      let effort = pages[place].map { page in
        Effort(page: page) { exercise in
          last[exercise] == place
            ? Effort.minutes(ofExercise: tree.lines(of: "docs/exercises/\(exercise).md")) : 0
        }
      }
      lines[index] = "\(place + 1). \(item)\(effort?.description.map { " _(\($0))_" } ?? "")"
    }
    return lines
  }

  /// The page's text with one more line at the end of the list.
  func adding(_ item: String, to text: String) -> String {
    var lines = text.lines
    let end = Self.end(of: lines[location.line...])
    lines.insert("\(entries.count + 1). \(item)", at: end)
    return lines.map { $0 + "\n" }.joined()
  }

  init(_ tree: any FileTree) throws(Problem) {
    let start = Location(path: Self.page, line: 1)
    let lines = try tree.lines(of: Self.page, for: start)
    guard let opening = lines.firstIndex(of: Self.opening) else {
      throw start.problem(
        "the list of the course is missing: write it below \(Self.opening)")
    }
    location = Location(path: Self.page, line: opening + 1)
    let end = Self.end(of: lines[(opening + 1)...])
    var entries: [Entry] = []
    for link in LinkScanner.links(in: Array(lines[(opening + 1)..<end])) where link.isRelative {
      let folder = RelativePath.folder(of: Self.page)
      guard let path = RelativePath.resolve(link.parts.path, in: folder), path.hasSuffix(".md")
      else { continue }
      let line = opening + 2 + link.lineIndex
      if let first = entries.first(where: { $0.path == path }) {
        throw Location(path: Self.page, line: line)
          .problem("\(link.target) is in the course list already, at line \(first.line)")
      }
      entries.append(Entry(title: link.title, path: path, line: line))
    }
    self.entries = entries
  }

  /// The list ends at the first empty line. Headings of the third level divide it, and have empty
  /// lines around them.
  private static func end(of lines: ArraySlice<String>) -> Int {
    func isHeading(_ index: Int) -> Bool {
      lines.indices.contains(index) && lines[index].hasPrefix("### ")
    }
    return lines.indices.first {
      lines[$0].isBlank && !isHeading($0 - 1) && !isHeading($0 + 1)
    } ?? lines.endIndex
  }
}
