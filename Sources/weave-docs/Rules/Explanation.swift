/// The rule that a scenario's page explains: at least a quarter of its lines are prose.
///
/// Code and output are easy to weave in, and a page of nothing else teaches nothing. Prose is
/// everything outside code blocks, tables, headings and markers, and the notes below a code block.
/// Woven lines of links don't count at all, nor do pictures with the text below them.
enum Explanation {
  /// The share of prose that a page needs, as one part of so many.
  static let parts = 4

  /// The summary of the fold below a picture.
  private static let textOfPicture = "The same as text</summary>"

  static func problems(in pages: [WovenPage]) -> [Problem] {
    pages.filter { $0.path.hasPrefix("docs/scenarios/") }.compactMap { page in
      let (prose, total) = count(page.lines.map(\.text))
      guard prose * parts < total else { return nil }
      return Location(path: page.path, line: 1).problem(
        "only \(prose) of \(total) lines explain, and a quarter should: show less output, or explain"
          + " more")
    }
  }

  /// - Returns: The lines of prose, and all lines that aren't empty, markers or links.
  private static func count(_ lines: [String]) -> (prose: Int, total: Int) {
    var prose = 0
    var total = 0
    var fence: Fence?
    var isInLinks = false
    var isInPictureText = false
    for line in lines {
      let text = line.trimming(\.isWhitespace)
      guard !text.isEmpty else {
        isInLinks = false
        continue
      }
      if text.hasPrefix("<details><summary>\(textOfPicture)") { isInPictureText = true }
      if isInPictureText {
        isInPictureText = text != "</details>"
        continue
      }
      if let open = fence {
        total += 1
        if open.isClosed(by: line) { fence = nil }
        continue
      }
      fence = Fence(opening: line)
      if let comment = PageComment(line) {
        isInLinks = comment.name == "navigation" || comment.name == "sources"
        continue
      }
      if text.hasPrefix("<picture>") { isInLinks = true }
      if isInLinks { continue }
      total += 1
      let isProse =
        fence == nil && !text.hasPrefix("#") && !text.hasPrefix("|") && !text.hasPrefix("<")
      if isProse { prose += 1 }
    }
    return (prose, total)
  }
}
