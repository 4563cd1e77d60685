/// A snapshot, which may be divided by headings into parts.
///
/// A heading is a line that begins with a run of two or more of the same mark out of `= - # * ~ ─ ━ ═`,
/// then a space, then its text, such as `== Late subscriber ==`. Its part reaches to the next
/// heading with the same mark in the same number.
struct SnapshotParts {
  let path: String
  let lines: [String]

  /// The lines that an excerpt asks for.
  func lines(
    of excerpt: Directive.Excerpt, for location: Location
  ) throws(Problem) -> [String] {
    var lines = lines
    if let part = excerpt.part { lines = try self.lines(ofPart: part, for: location) }
    guard let range = excerpt.lines else { return lines }
    guard range.upperBound <= lines.count else {
      throw location.problem(
        "\(path) has no line \(range.upperBound): there are \(lines.count) to choose from")
    }
    return Array(lines[(range.lowerBound - 1)..<range.upperBound])
  }

  private func lines(ofPart title: String, for location: Location) throws(Problem) -> [String] {
    let headings = lines.indices.compactMap { index in
      Heading(lines[index]).map { (index: index, heading: $0) }
    }
    let matches = headings.filter { $0.heading.title == title }
    guard let match = matches.first else {
      let titles = headings.map { "'\($0.heading.title)'" }.joined(separator: ", ")
      let choices = titles.isEmpty ? "none" : titles
      throw location.problem("no part '\(title)' in \(path): it has \(choices)")
    }
    guard matches.count == 1 else {
      throw location.problem("part '\(title)' stands \(matches.count) times in \(path)")
    }
    let next = headings.first {
      $0.index > match.index && $0.heading.decoration == match.heading.decoration
    }
    var part = lines[match.index..<(next?.index ?? lines.count)]
    while part.last?.isEmpty == true { part.removeLast() }
    return Array(part)
  }

  private struct Heading {
    let decoration: String
    let title: String

    init?(_ line: String) {
      let isMark = { (character: Character) in "=-#*~─━═".contains(character) }
      guard let mark = line.first, isMark(mark) else { return nil }
      let decoration = String(line.prefix { $0 == mark })
      let rest = line.dropFirst(decoration.count)
      let title = rest.trimming { $0 == " " || $0 == mark }
      guard decoration.count >= 2, rest.first == " ", !title.isEmpty else { return nil }
      self.decoration = decoration
      self.title = title
    }
  }
}
