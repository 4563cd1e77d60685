/// The difference of two lists of lines, as `diff -u` prints it.
enum Difference {
  /// The lines of all hunks, each hunk with its `@@` line; empty if there is no difference.
  static func hunks(from old: [String], to new: [String], context: Int = 3) -> [String] {
    let edits = edits(from: old, to: new)
    var ranges: [Range<Int>] = []
    for index in edits.indices where edits[index].mark != " " {
      let range = max(0, index - context)..<min(edits.count, index + context + 1)
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.flatMap { range in
      // A side without lines names the line before it, as `patch` expects.
      func side(_ mark: Character, _ name: String) -> String {
        let count = edits[range].count { $0.mark != mark }
        let before = edits[..<range.lowerBound].count { $0.mark != mark }
        return "\(name)\(before + (count == 0 ? 0 : 1)),\(count)"
      }
      return ["@@ \(side("+", "-")) \(side("-", "+")) @@"]
        + edits[range].map { "\($0.mark)\($0.line)" }
    }
  }

  private static func edits(
    from old: [String], to new: [String]
  ) -> [(mark: Character, line: String)] {
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var edits: [(mark: Character, line: String)] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if removed.contains(i) {
        edits.append(("-", old[i]))
        i += 1
      } else if inserted.contains(j) {
        edits.append(("+", new[j]))
        j += 1
      } else {
        edits.append((" ", old[i]))
        (i, j) = (i + 1, j + 1)
      }
    }
    return edits
  }
}
