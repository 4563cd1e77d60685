extension Loom {
  /// A committed snapshot, or a part of one.
  func snapshot(_ excerpt: Directive.Excerpt, at location: Location) throws(Problem) -> [String] {
    let (path, lines) = try file(excerpt.path, for: location)
    var excerpt = excerpt
    let isExample = [OperatorPage.tests, Recipe.snapshots].contains { path.hasPrefix("\($0)/") }
    let parts = SnapshotParts(path: path, lines: lines)
    if isExample, excerpt.part == nil, parts.signs != nil {
      // The run of an example is the only part of its file.
      excerpt.part = lines.first.map { $0.dropFirst(2).trimming { $0 == "\"" } }
    }
    return try parts.lines(of: excerpt, for: location)
  }

  /// The difference between two snapshots.
  func diff(
    _ old: Directive.Excerpt, _ new: Directive.Excerpt, at location: Location
  ) throws(Problem) -> [String] {
    var (old, new) = (old, new)
    let oldLines = try snapshot(old, at: location)
    let newLines = try snapshot(new, at: location)
    old.path = try sources.path(of: old.path, for: location)
    new.path = try sources.path(of: new.path, for: location)
    let hunks = Difference.hunks(from: oldLines, to: newLines)
    guard !hunks.isEmpty else {
      throw location.problem(
        "there is no difference between \(old.path) and \(new.path)")
    }
    // The common start of both paths tells a reader nothing about the difference.
    let folders = [old, new].map { RelativePath.folder(of: $0.path).split(separator: "/") }
    let common = zip(folders[0], folders[1]).prefix { $0 == $1 }.count
    let names = [old, new].map { excerpt in
      let parts = excerpt.path.split(separator: "/").dropFirst(common)
      return parts.joined(separator: "/") + (excerpt.part.map { " (\($0))" } ?? "")
    }
    return ["--- \(names[0])", "+++ \(names[1])"] + hunks
  }
}
