/// A source file with the regions that its comments mark.
///
/// Excerpts leave out lines that begin with `.lane(`, because those only add lanes to the pictures.
///
/// A region stands between `// region: NAME` and `// endregion`, or `// endregion: NAME` where
/// regions overlap: without a name the comment ends the region that was opened last. Files whose
/// comments begin with `#` mark them so.
struct SourceRegions {
  private let path: String
  private let lines: [String]
  private var ranges: [(name: String, lines: Range<Int>)] = []

  /// - Throws: The first misplaced marker, at its line of the source.
  init(path: String, lines: [String]) throws(Problem) {
    self.path = path
    self.lines = lines
    var open: [(name: String, start: Int)] = []
    for (index, line) in lines.enumerated() {
      guard let (isEnd, name) = Self.marker(line) else { continue }
      let location = Location(path: path, line: index + 1)
      if isEnd {
        let position = name.map { name in open.firstIndex { $0.name == name } }
        guard let position = position ?? open.indices.last else {
          throw location.problem("this endregion has no region to close")
        }
        let region = open.remove(at: position)
        ranges.append((region.name, region.start..<index))
      } else if let name {
        guard !(open.map(\.name) + ranges.map(\.name)).contains(name) else {
          throw location.problem("region '\(name)' is marked twice")
        }
        open.append((name, index + 1))
      }
    }
    if let region = open.first {
      throw Location(path: path, line: region.start)
        .problem("region '\(region.name)' has no end: close it with endregion")
    }
  }

  /// The lines of a region, or of the whole file, without markers and common indentation.
  ///
  /// - Parameter location: The place that names the region.
  func lines(of region: String?, for location: Location) throws(Problem) -> [String] {
    guard let region else { return Self.tidied(lines) }
    guard let range = ranges.first(where: { $0.name == region }) else {
      let names = ranges.sorted { $0.lines.lowerBound < $1.lines.lowerBound }.map(\.name)
      let choices = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw location.problem("no region '\(region)' in \(path): it has \(choices)")
    }
    let tidied = Self.tidied(Array(lines[range.lines]))
    guard !tidied.isEmpty else { throw location.problem("region '\(region)' of \(path) is empty") }
    return tidied
  }

  /// Whether a line is nothing but a call of `lane`. One that goes on stays in the listing.
  private static func isLane(_ line: String) -> Bool {
    line.trimmed.hasPrefix(".lane(") && line.contains(")") && !line.contains(").")
      && line.count { $0 == "{" } == line.count { $0 == "}" }
  }

  private static func tidied(_ lines: [String]) -> [String] {
    var kept: [String] = []
    var followsMarker = true
    for line in lines {
      if marker(line) != nil {
        followsMarker = true
      } else if !isLane(line) {
        let isBlank = line.isBlank
        // A marker often stands alone between blank lines. Drop one of them with it.
        let isDoubled = isBlank && followsMarker && (kept.last ?? "").isEmpty
        if !isDoubled { kept.append(isBlank ? "" : line) }
        followsMarker = followsMarker && isDoubled
      }
    }
    while kept.last == "" { kept.removeLast() }
    let indentation = kept.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return kept.map { String($0.dropFirst(indentation)) }
  }

  /// A comment that opens or ends a region. Only an end may have no name.
  private static func marker(_ line: String) -> (isEnd: Bool, name: String?)? {
    // Few lines have one, and a regex for each line would take seconds.
    guard line.contains("region"),
      let match = line.wholeMatch(of: /\s*(?:\/\/|#) *(end)?region(?:: (\S+))?\s*/),
      match.1 != nil || match.2 != nil
    else { return nil }
    return (match.1 != nil, match.2.map(String.init))
  }
}
