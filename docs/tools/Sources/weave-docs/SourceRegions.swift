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
      let location = Location(path: path, line: index + 1)
      switch RegionMarker(line) {
      case nil: break
      case .start(let name):
        guard !open.contains(where: { $0.name == name }),
          !ranges.contains(where: { $0.name == name })
        else { throw location.problem("region '\(name)' is marked twice") }
        open.append((name, index + 1))
      case .end(nil):
        guard let region = open.popLast() else {
          throw location.problem("this endregion has no region to close")
        }
        ranges.append((region.name, region.start..<index))
      case .end(let name?):
        guard let position = open.firstIndex(where: { $0.name == name }) else {
          throw location.problem("this endregion closes '\(name)', which isn't open")
        }
        ranges.append((name, open.remove(at: position).start..<index))
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
      if RegionMarker(line) != nil {
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
}

/// A comment that opens or ends a region.
private enum RegionMarker {
  case start(String)
  case end(String?)

  init?(_ line: String) {
    // Few lines have one, and a regex for each line would take seconds.
    guard line.contains("region"),
      let match = line.wholeMatch(of: /\s*(?:\/\/|#) *(end)?region(?:: (\S+))?\s*/)
    else { return nil }
    switch (match.1, match.2) {
    case (nil, let name?): self = .start(String(name))
    case (nil, nil): return nil
    case (_, let name): self = .end(name.map(String.init))
    }
  }
}
