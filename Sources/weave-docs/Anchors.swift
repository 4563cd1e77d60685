/// The anchors in a Markdown text that a link can name.
///
/// Headings get the names that GitHub gives them: lower case, hyphens for spaces, no punctuation,
/// and a number if a heading repeats.
enum Anchors {
  static func names(in lines: [String]) -> Set<String> {
    var names = Set<String>()
    var fence: Fence?
    for line in lines {
      if let open = fence {
        if open.isClosed(by: line) { fence = nil }
      } else if let opening = Fence(opening: line) {
        fence = opening
      } else if let heading = heading(line) {
        let name = Self.name(of: heading)
        var unique = name
        var count = 0
        while names.contains(unique) {
          count += 1
          unique = "\(name)-\(count)"
        }
        names.insert(unique)
      } else {
        names.formUnion(identifiers(in: line))
      }
    }
    return names
  }

  static func name(of heading: String) -> String {
    String(
      withoutTargets(heading).lowercased().compactMap { character -> Character? in
        if character == " " { return "-" }
        let isKept =
          character.isLetter || character.isNumber || character == "-" || character == "_"
        return isKept ? character : nil
      })
  }

  private static func heading(_ line: String) -> String? {
    let marks = line.prefix { $0 == "#" }
    let rest = line.dropFirst(marks.count)
    guard (1...6).contains(marks.count), rest.first == " " else { return nil }
    let title = rest.trimming(\.isWhitespace)
    let closing = title.reversed().prefix { $0 == "#" }.count
    let isClosed = closing > 0 && title.dropLast(closing).last == " "
    return isClosed ? title.dropLast(closing).trimming(\.isWhitespace) : title
  }

  /// Of a link in a heading, only the title counts.
  private static func withoutTargets(_ heading: String) -> String {
    var text = heading
    for link in LinkScanner.links(in: [heading]) {
      text = text.split(separator: "](\(link.target))", omittingEmptySubsequences: false)
        .joined(separator: "]")
    }
    return text
  }

  /// The values of `id="…"` and `name="…"`, which hand-made anchors have.
  private static func identifiers(in line: String) -> [String] {
    let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
    return zip(pieces, pieces.dropFirst())
      .filter { before, _ in before.hasSuffix(" id=") || before.hasSuffix(" name=") }
      .map { String($0.1) }
  }
}
