/// A snapshot, divided into parts by its headings.
///
/// A heading is a line such as `# The server knows the user`, which is how transcripts and marble
/// diagrams show the title of a scenario's part. The part reaches to the next heading.
struct SnapshotParts {
  let path: String
  let lines: [String]

  /// The lines of an excerpt.
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

  /// The signs below all marble diagrams belong to no part.
  private func lines(ofPart title: String, for location: Location) throws(Problem) -> [String] {
    let lines = lines[..<(signs ?? lines.count)]
    let headings = lines.indices.compactMap { index in
      Self.title(lines[index]).map { (index: index, title: $0) }
    }
    let matches = headings.filter { $0.title == title }
    guard let match = matches.first else {
      let titles = headings.map { "'\($0.title)'" }.joined(separator: ", ")
      let choices = titles.isEmpty ? "none" : titles
      throw location.problem("no part '\(title)' in \(path): it has \(choices)")
    }
    guard matches.count == 1 else {
      throw location.problem("part '\(title)' stands \(matches.count) times in \(path)")
    }
    let next = headings.first { $0.index > match.index }
    var part = lines[match.index..<(next?.index ?? lines.count)]
    while part.last?.isEmpty == true { part.removeLast() }
    return Array(part)
  }

  /// Where the signs of marble diagrams begin; `nil` if there are none.
  var signs: Int? { lines.lastIndex { $0.hasPrefix("Not to scale: ") } }

  private static func title(_ line: String) -> String? {
    guard line.hasPrefix("# ") else { return nil }
    let title = line.dropFirst(2).trimmed
    // A marble diagram puts some titles in quotation marks.
    let isQuoted = title.count > 2 && title.hasPrefix("\"") && title.hasSuffix("\"")
    return isQuoted ? String(title.dropFirst().dropLast()) : title
  }
}
